/**
 * The last transition of a lease before an instant, without a walk through the whole retention at each look.
 *
 * A lease that is held steadily has no transition that would end the walk back through the hours. So the past is cut into
 * parts of whole hours, and the walk ends in the first part that has a transition:
 *
 * 1. The hour of the instant is read at each look.
 * 2. The three hours before now are kept for 30 s: a recorder writes seconds late, or minutes while Cassandra is slow.
 * 3. The rest of the last day is kept for 10 minutes: a library that could not write for long may write an hour late.
 * 4. The rest of the last 7 days is kept for an hour, and what is older for a day. A recorder that takes over after a long gap
 *    writes which tenures began in it (`begunUnseen`), with the time of their beginning: no hour is so old that it never changes.
 *
 * Guarantees: the answer is that of `lastBefore`, of what was written before the part was read.
 * Does not guarantee: that a row is seen at once which was written late, by more than the age of its part says.
 */
import {
  dayMs,
  type EventRange,
  type EventStore,
  hourMs,
  type LeaseEvent,
  lastBefore,
} from 'leasehold/history'
import type { Clock } from 'leasehold/time'
import { KeptReadings } from '../../store/kept-readings.ts'

interface Part {
  /** Its older end lies so long ago, or at the instant if that is older. */
  readonly ageMs: number
  /** Its older end is moved back to a multiple of this: until it moves on, all looks ask for the same part. */
  readonly stepMs: number
  readonly keptForMs: number
}

const parts: readonly Part[] = [
  { ageMs: 0, stepMs: hourMs, keptForMs: 0 },
  { ageMs: 3 * hourMs, stepMs: hourMs, keptForMs: 30_000 },
  { ageMs: dayMs, stepMs: 6 * hourMs, keptForMs: 600_000 },
  { ageMs: 7 * dayMs, stepMs: dayMs, keptForMs: hourMs },
  { ageMs: Number.POSITIVE_INFINITY, stepMs: 1, keptForMs: dayMs },
]
/** A few for each lease that is looked at: some 5 MB. */
const readingsMax = 5_000

interface RecordedLease {
  /** `keyspace.table` in Cassandra. */
  readonly leaseTable: string
  readonly name: string
  /** The events, whose reads end with this signal. */
  events(until: AbortSignal): EventStore
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export class LastTransitions {
  readonly #clock: Clock
  readonly #kept: KeptReadings<LeaseEvent | null>

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
    this.#kept = new KeptReadings({ clock, max: readingsMax })
  }

  /** @param range from the oldest event that is kept @throws StoreUnavailableError, StoreRefusedError */
  async before(
    { leaseTable, name, events, signal }: RecordedLease,
    { fromMs, toMs }: EventRange,
  ): Promise<LeaseEvent | null> {
    const nowMs = this.#clock.now().wallMs
    let untilMs = toMs
    for (const { ageMs, stepMs, keptForMs } of parts) {
      if (untilMs <= fromMs) break
      const beginsMs = Math.floor(Math.min(toMs, nowMs - ageMs) / stepMs) * stepMs
      if (beginsMs >= untilMs) continue
      const range = { fromMs: Math.max(fromMs, beginsMs), toMs: untilMs }
      const read = (until: AbortSignal) => lastBefore(events(until), name, range)
      // The retention begins at another millisecond at each look. Its part is named by its end alone.
      const key = JSON.stringify([leaseTable, name, beginsMs <= fromMs ? null : beginsMs, untilMs])
      const found = await (keptForMs === 0 ? read(signal) : this.#kept.read(key, keptForMs, read, signal))
      if (found !== null) return found.atMs >= fromMs ? found : null
      untilMs = beginsMs
    }
    return null
  }
}
