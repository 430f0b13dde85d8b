/**
 * Statements for histories under way at the same time.
 *
 * A history that was not looked at before is some hundred statements, most of them of hours in which nothing happened, and Cassandra
 * answers them so fast that this process has no time for anything else: renewals over REST waited for it, and so did `/healthz`.
 *
 * Guarantees: `statementsAtOnce` statements of histories are under way in this process, and `statementsOfOneSender` for one sender.
 * A history whose client has gone sends no further one.
 * Does not guarantee: an answer within some time. A history of many days takes as long as its statements in turn.
 */
import { setMaxListeners } from 'node:events'
import type { EventStore } from 'leasehold/history'
import { FairSlots } from '../../http/turns/fair-slots.ts'
import type { RecordingStore } from '../recordings.ts'

export const statementsAtOnce = 16
export const statementsOfOneSender = 8

/** For whom a history is read. */
interface HistoryReader {
  /** How limits count the sender: `senderKey`. */
  readonly sender: string
  /** Aborted when no request waits for the history any more. */
  readonly signal: AbortSignal
}

/** What the readings are for that all senders share. */
const shared = 'all senders'

export class HistoryTurns {
  readonly #slots = new FairSlots({ atOnce: statementsAtOnce, ofOneSender: statementsOfOneSender })

  /** The same events, read in turn. Its reads throw the signal's reason once that is aborted. */
  events(store: EventStore, { sender, signal }: HistoryReader): EventStore {
    // Each statement that waits listens to it.
    setMaxListeners(Number.POSITIVE_INFINITY, signal)
    const inTurn = <T>(read: () => Promise<T>) => this.#slots.run(sender, read, signal)
    return {
      write: (event) => store.write(event),
      writeRenewals: (minute) => store.writeRenewals(minute),
      writeGap: (gap) => store.writeGap(gap),
      gaps: (...of) => inTurn(() => store.gaps(...of)),
      transitions: (...of) => inTurn(() => store.transitions(...of)),
      renewals: (...of) => inTurn(() => store.renewals(...of)),
    }
  }

  /** The same recordings, of one day in one turn. */
  recordings(store: RecordingStore): RecordingStore {
    return {
      write: (...of) => store.write(...of),
      between: (...of) => this.#slots.run(shared, () => store.between(...of)),
    }
  }
}
