/** Runs the load until the compilers are done: on a new node Java's has two thirds of the processor time for a minute. */
import { optimisingMs, processorMs } from '../measure.mjs'

const quietShare = 0.04
const limitMs = 8 * 60_000

/**
 * @param {number} node its process
 * @param {(() => Promise<unknown>)[]} turns all that will be measured, a few seconds of each
 * @returns {Promise<string>} a note: what the compiler still does
 */
export async function warmUp(node, turns) {
  const beganMs = performance.now()
  const spent = () => ({ allMs: processorMs(node), optimisingMs: optimisingMs(node) })
  for (;;) {
    const before = spent()
    for (const turn of turns) await turn()
    const after = spent()
    const share = (after.optimisingMs - before.optimisingMs) / (after.allMs - before.allMs)
    const tookMs = performance.now() - beganMs
    if (share < quietShare || tookMs > limitMs)
      return `Warmed up for ${Math.round(tookMs / 1000)} s: then ${(share * 100).toFixed(0)} % of Cassandra's processor time was its compiler`
  }
}
