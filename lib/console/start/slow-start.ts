/**
 * A start asks Cassandra for a dozen things, each with the patience of a request. One that is not answered in time, because the
 * cluster is busy, does not end the start: it is asked again. Each may be: a start that was cut off is begun again too.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { Log } from '../http/log/log.ts'

/** In milliseconds, for all of a start: less than `npm start` and the unit wait for a console. */
const askForMs = 60_000
const pauseMs = 500

/** Runs a step of the start, again where Cassandra did not answer it in time. Each step may run more than once. */
export type AskAgain = <T>(step: () => Promise<T>) => Promise<T>

/** @param deps their clock measures from this call on */
export function slowStart({ clock, timer, log }: { clock: Clock; timer: Timer; log: Log }): AskAgain {
  const beganMs = clock.now().monotonicMs
  return async (step) => {
    for (;;) {
      try {
        return await step()
      } catch (error) {
        if (!isSlow(error) || clock.now().monotonicMs - beganMs >= askForMs) throw error
        log.warn({ error }, 'start: Cassandra did not answer in time; it is asked again')
        await timer.sleep(pauseMs)
      }
    }
  }
}

/**
 * A request that timed out has no code of the system, or that of a connection which was slow or cut. On any other code (no node
 * listens, none has that name, its certificate is not trusted) a start says so at once.
 */
const isSlow = (error: unknown): boolean =>
  isLeaseholdError(error, 'store-unavailable') &&
  /^(\d+|undefined|ETIMEDOUT|ECONNRESET|EPIPE|EAI_AGAIN)$/.test(codeOf(error.cause))

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code)
