import type {
  EventGap,
  EventPlace,
  EventRange,
  EventStore,
  LeaseEvent,
  RenewalMinute,
} from '../../history/index.ts'
import { StoreUnavailableError } from '../../lease/index.ts'

/** A history in memory. Events do not expire. */
export class MemoryEventStore implements EventStore {
  /** Called before every write. `lost`: the row is written, and the answer is lost. */
  fault: () => 'unavailable' | 'lost' | undefined = () => undefined
  /** The number of writes. */
  writes = 0
  readonly #events = new Map<string, LeaseEvent>()
  readonly #minutes = new Map<string, RenewalMinute>()
  readonly #gaps = new Map<string, EventGap & { atMs: number }>()

  async write(event: LeaseEvent): Promise<void> {
    await this.#written(() => this.#events.set(keyOf(event), event))
  }

  async writeRenewals(minute: RenewalMinute): Promise<void> {
    await this.#written(() => this.#minutes.set(keyOf(minute), minute))
  }

  async writeGap(gap: EventGap): Promise<void> {
    const kept = { ...gap, atMs: gap.fromMs }
    await this.#written(() => this.#gaps.set(keyOf(kept), kept))
  }

  async gaps(name: string, day: EventRange): Promise<EventGap[]> {
    return rowsIn(this.#gaps, name, day).map(({ atMs: _, ...gap }) => gap)
  }

  async transitions(
    name: string,
    range: EventRange,
    limit: number,
    before?: EventPlace,
  ): Promise<LeaseEvent[]> {
    const isBefore = ({ atMs, id }: LeaseEvent) =>
      before === undefined || atMs < before.atMs || (atMs === before.atMs && id < before.id)
    const within = before === undefined ? range : { ...range, toMs: Number.POSITIVE_INFINITY }
    return rowsIn(this.#events, name, within).filter(isBefore).slice(0, limit)
  }

  async renewals(name: string, range: EventRange): Promise<RenewalMinute[]> {
    return rowsIn(this.#minutes, name, range)
  }

  async #written(write: () => void): Promise<void> {
    this.writes++
    const fault = this.fault()
    await Promise.resolve()
    if (fault !== 'unavailable') write()
    if (fault !== undefined)
      throw new StoreUnavailableError('No answer came (by order of the test).', {
        mayHaveHappened: fault !== 'unavailable',
      })
  }
}

const keyOf = ({ name, atMs, id }: { name: string; atMs: number; id: string }): string =>
  JSON.stringify([name, atMs, id])

const rowsIn = <T extends { name: string; atMs: number; id: string }>(
  rows: ReadonlyMap<string, T>,
  of: string,
  { fromMs, toMs }: EventRange,
): T[] =>
  [...rows.values()]
    .filter(({ name, atMs }) => name === of && atMs >= fromMs && atMs < toMs)
    .sort((one, other) => other.atMs - one.atMs || (other.id > one.id ? 1 : -1))
