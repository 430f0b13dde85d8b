/**
 * Reads at SERIAL that lost a contended round. On three nodes Cassandra 5.0 answers about one in a hundred reads of a row that is
 * being written with the error of a write's time-out (0x1100), a few milliseconds after they were sent and with all nodes there. A read has
 * no effect, so it is sent again.
 *
 * Tuned by: `tries` and `withinMs`. A cluster that really needs its time-outs is reported as late as before.
 */
import cassandra from 'cassandra-driver'
import { isLeaseholdError } from '../../lease/index.ts'
import { type Clock, elapsedMs, systemClock } from '../../time/index.ts'
import { isResponse } from '../driver/driver-error.ts'
import type { ExecutedRows } from './executor.ts'
import type { Statement } from './statement.ts'

const { consistencies, responseErrorCodes } = cassandra.types
const tries = 4
/** From the first send, in milliseconds: far below `cas_contention_timeout`, 1.8 s. */
const withinMs = 800

/** Runs a statement; again, at most three times, when it is a SERIAL read and its error came too soon to be a time-out. */
export async function contendedReadAgain(
  { consistency, serialConsistency }: Statement,
  run: () => Promise<ExecutedRows>,
  clock: Clock = systemClock,
): Promise<ExecutedRows> {
  const isSerial = consistency === consistencies.serial || consistency === consistencies.localSerial
  if (!isSerial || serialConsistency !== undefined) return run()
  const sent = clock.now()
  for (let left = tries - 1; ; left--)
    try {
      return await run()
    } catch (thrown) {
      const isContended =
        isLeaseholdError(thrown, 'store-unavailable') &&
        isResponse(thrown.cause, responseErrorCodes.writeTimeout)
      if (!isContended || left === 0 || elapsedMs(sent, clock.now()) > withinMs) throw thrown
    }
}
