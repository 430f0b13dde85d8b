/**
 * Keeps the outcome of a release beside its plan.
 *
 * Guarantees: it is tried again however long an outage is. A store that refuses the statement is asked `refusedTries` times,
 * about half a minute in all: then the outcome is not kept, and the log has it. An outcome that was kept counts as this one
 * also where every answer that said so was lost.
 */
import { randomUUID } from 'node:crypto'
import { isLeaseholdError } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import type { Log } from '../../http/log/log.ts'
import type { Report } from '../release-record.ts'
import type { ReleaseStore } from '../release-store.ts'

const refusedTries = 10

interface KeepOutcomeDeps {
  store: Pick<ReleaseStore, 'finish' | 'read'>
  timer: Timer
  log: Log
}

/**
 * Which outcome a plan has: `this` one; `another`, which was kept before; or none, because its row is `gone`: another client
 * deleted or changed it.
 */
export type Kept = 'this' | 'another' | 'gone'

export async function keepOutcome(
  { store, timer, log }: KeepOutcomeDeps,
  id: string,
  report: Report,
): Promise<Kept> {
  // Not the reports are compared: another instance may have found out the same.
  const attempt = randomUUID()
  let refused = 0
  for (let pauseMs = 250; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    try {
      const { moved, record } = await store.finish(id, report, attempt)
      if (moved) return 'this'
      return record === null ? 'gone' : 'another'
    } catch (error) {
      // Any other error than silence will come again, until an operator removes its cause.
      if (!isSilence(error)) refused += 1
      if (refused >= refusedTries) {
        log.error({ id, error, report }, 'the outcome of a forced release is not kept beside its plan')
        return (await isDoneByAnother(store, id, attempt)) ? 'another' : 'this'
      }
      log.warn({ id, error }, 'the outcome of a forced release is not kept yet')
      await timer.sleep(pauseMs)
    }
  }
}

const isSilence = (error: unknown): boolean =>
  isLeaseholdError(error, 'store-unavailable') || isLeaseholdError(error, 'statement-unknown')

/** A row that cannot be read counts as not done: another instance can hardly have written it just before. */
const isDoneByAnother = (store: KeepOutcomeDeps['store'], id: string, attempt: string): Promise<boolean> =>
  store.read(id).then(
    (record) => record?.state === 'done' && record.attempt !== attempt,
    () => false,
  )
