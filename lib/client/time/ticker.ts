/**
 * One ticker for the whole page: it calls each listener in time to write a changed text straight into the document.
 * Those that show tenths are called ten times a second; the others once a second, all in one turn, so that a list of
 * far countdowns costs one layout a second. It stops without listeners, and while the page is hidden.
 */
import { pageNow } from './page-clock.ts'

const tickMs = 100
export const slowTickMs = 1000

/** How often a listener has to be called from now on. */
export type Pace = 'tenths' | 'seconds'

type Writer = (nowMs: number) => Pace

const writers = new Map<Writer, Pace>()
let timer: ReturnType<typeof setTimeout> | undefined
let slowDueAtMs = 0

function tick(): void {
  const nowMs = pageNow()
  const isSlowDue = nowMs >= slowDueAtMs
  if (isSlowDue) slowDueAtMs = nowMs + slowTickMs
  for (const [write, pace] of writers) if (isSlowDue || pace === 'tenths') writers.set(write, write(nowMs))
  schedule(nowMs)
}

function schedule(nowMs: number): void {
  const isFast = [...writers.values()].includes('tenths')
  timer = setTimeout(tick, isFast ? tickMs : Math.max(0, slowDueAtMs - nowMs))
}

function stop(): void {
  clearTimeout(timer)
  timer = undefined
}

function turn(): void {
  stop()
  if (writers.size === 0 || document.hidden) return
  slowDueAtMs = 0
  tick()
}

/**
 * Calls `write` with the time of the page's clock: once now, and then as often as it answered.
 * @returns ends it
 */
export function onTick(write: Writer): () => void {
  if (writers.size === 0) {
    document.addEventListener('visibilitychange', turn)
    slowDueAtMs = 0
  }
  const pace = write(pageNow())
  writers.set(write, pace)
  if (!document.hidden && (timer === undefined || pace === 'tenths')) {
    stop()
    schedule(pageNow())
  }
  return () => {
    writers.delete(write)
    if (writers.size > 0) return
    document.removeEventListener('visibilitychange', turn)
    stop()
  }
}
