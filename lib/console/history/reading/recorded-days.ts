/**
 * What the recorder watched, read day by day, and kept where a day is over.
 *
 * Guarantees: of a range, the stretches of its days, and those after it that say why its end was not observed.
 * Does not guarantee: that a stretch is seen at once whose end was written over an hour after midnight, UTC, of its day: a
 * recorder that could not write until then. Up to then the time counts as not observed, which claims nothing.
 */
import type { EventRange } from 'leasehold/history'
import type { Clock } from 'leasehold/time'
import { KeptReadings } from '../../store/kept-readings.ts'
import { dayMs, daysOf, type RecordingStore, type Stretch } from '../recordings.ts'

/** The recorder writes every 5 s. The parts of one answer, and viewers who ask together, share a reading. */
const openDayForMs = 1_000
/** Of a day that has been over for an hour. */
const closedDayForMs = 10 * 60_000
const closedAfterMs = 3_600_000
/** Days that are read at once, where the first ones have nothing. */
const daysAtOnce = 16
/** Some years of one table: a closed day has a few stretches. */
const daysMax = 2_000

/** From when until when the recorder watched a table; null: not within the time that is kept. */
export interface Recorded {
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

export class RecordedDays {
  readonly #store: RecordingStore
  readonly #clock: Clock
  readonly #kept: KeptReadings<Stretch[]>

  constructor({ store, clock }: { store: RecordingStore; clock: Clock }) {
    this.#store = store
    this.#clock = clock
    this.#kept = new KeptReadings({ clock, max: daysMax })
  }

  /** @param leaseTable `keyspace.table` @param range the time that is kept @throws StoreUnavailableError, StoreRefusedError */
  async recorded(leaseTable: string, { fromMs, toMs }: EventRange): Promise<Recorded> {
    const days = daysOf(fromMs, toMs)
    const [first, last] = await Promise.all([
      this.#firstWatched(leaseTable, days),
      this.#firstWatched(leaseTable, days.toReversed()),
    ])
    return {
      sinceMs: first[0]?.beganMs ?? null,
      untilMs: last.length === 0 ? null : Math.max(...last.map(({ untilMs }) => untilMs)),
    }
  }

  /**
   * The stretches of a range, and the next after it where it was not observed to its end. Oldest first.
   * @throws as `recorded`
   */
  async stretches(leaseTable: string, { fromMs, toMs }: EventRange): Promise<Stretch[]> {
    const days = daysOf(fromMs, toMs)
    const found = (await Promise.all(days.map((day) => this.#day(leaseTable, day)))).flat()
    if (found.some(({ what, untilMs }) => what === 'everything' && untilMs >= toMs)) return found
    const nowMs = this.#clock.now().wallMs
    const next = await this.#firstWatched(leaseTable, daysOf(toMs + dayMs, nowMs))
    return [...found, ...next]
  }

  /** The stretches in which everything was watched, of the first of these days that has any. */
  async #firstWatched(leaseTable: string, days: readonly number[]): Promise<Stretch[]> {
    let atOnce = 1
    for (let index = 0; index < days.length; index += atOnce, atOnce = Math.min(daysAtOnce, atOnce * 2)) {
      const group = days.slice(index, index + atOnce)
      for (const stretches of await Promise.all(group.map((day) => this.#day(leaseTable, day)))) {
        const watched = stretches.filter(({ what }) => what === 'everything')
        if (watched.length > 0) return watched
      }
    }
    return []
  }

  #day(leaseTable: string, day: number): Promise<Stretch[]> {
    const isClosed = this.#clock.now().wallMs >= day + dayMs + closedAfterMs
    const read = () => this.#store.between(leaseTable, day, day)
    return this.#kept.read(`${leaseTable} ${day}`, isClosed ? closedDayForMs : openDayForMs, read)
  }
}
