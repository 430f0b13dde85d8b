import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './ending.mjs'
import { claim } from './pid-file.mjs'
import { endOrphans, REGISTRY } from './registry.mjs'

/**
 * Does something that two commands of one clone must not do at once (`npm start` and `npm test` on a fresh clone both
 * want the packages): the second one waits. Processes that a killed predecessor left running are ended first.
 *
 * @template T
 * @param {string} kind the kind under which the process that does it is registered
 * @param {{ report: (text: string) => void, signal?: AbortSignal }} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(kind, { report, signal }, work) {
  mkdirSync(REGISTRY, { recursive: true, mode: 0o700 })
  /** @type {{ release(): void } | undefined} */
  let lock
  /** @type {number | undefined} */
  let waitedFor
  await until(
    () => {
      const claimed = claim(join(REGISTRY, `lock.${kind}.json`))
      if ('release' in claimed) lock = claimed
      else if (claimed.owner.pid !== waitedFor) {
        waitedFor = claimed.owner.pid
        report(`waiting for process ${waitedFor}, which is doing the same`)
      }
      return lock !== undefined
    },
    Number.POSITIVE_INFINITY,
    { everyMs: 500, signal },
  )
  try {
    await endOrphans(kind, { log: report })
    return await work()
  } finally {
    lock?.release()
  }
}
