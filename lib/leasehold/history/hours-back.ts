/** Reads a history backwards, hour by hour: the hours are the partitions in which Cassandra stores it. */
import {
  type EventPlace,
  type EventRange,
  type EventStore,
  hourMs,
  type LeaseEvent,
  type RenewalMinute,
} from './lease-event.ts'

/** Hours that are read at once, at most. The first one is read alone: mostly it is enough. */
const hoursAtOnce = 16

/** What was read at once of one hour, newest first. `fromMs`: where the hour begins. */
export interface Portion extends EventRange {
  readonly events: readonly LeaseEvent[]
  /** Those of the whole hour, in its first portion. */
  readonly renewals: readonly RenewalMinute[]
  /** Whether older transitions of this hour may follow. */
  readonly goesOn: boolean
}

interface Backwards extends EventRange {
  /** Transitions that are read at once of one hour. */
  readonly atOnce: number
  /** Asked before each read. */
  readonly wantsRenewals: () => boolean
  readonly before?: EventPlace | undefined
}

interface Hour {
  readonly range: EventRange
  readonly place: EventPlace | undefined
}

export async function* hoursBack(
  store: EventStore,
  name: string,
  { fromMs, toMs, atOnce, wantsRenewals, before }: Backwards,
): AsyncGenerator<Portion, void, void> {
  const read = async ({ range, place }: Hour, withRenewals: boolean): Promise<Portion> => {
    const [events, renewals] = await Promise.all([
      store.transitions(name, range, atOnce, place),
      withRenewals ? store.renewals(name, range) : [],
    ])
    return { ...range, events, renewals, goesOn: events.length >= atOnce }
  }
  for (const hours of hoursOf({ fromMs, toMs, before })) {
    const withRenewals = wantsRenewals()
    const portions = hours.map((hour) => read(hour, withRenewals))
    for (let portion of await Promise.all(portions)) {
      yield portion
      while (portion.goesOn) {
        const { fromMs, toMs } = portion
        portion = await read({ range: { fromMs, toMs }, place: portion.events.at(-1) }, false)
        yield portion
      }
    }
  }
}

/** The hours of a range, newest first, in groups that are read at once. */
function* hoursOf({
  fromMs,
  toMs,
  before,
}: Pick<Backwards, 'fromMs' | 'toMs' | 'before'>): Generator<Hour[]> {
  // A page that ended within an hour goes on in it.
  const isWithin = before !== undefined && before.id !== ''
  let untilMs = before?.atMs ?? toMs
  let place = isWithin ? before : undefined
  for (let atOnce = 1; untilMs > fromMs || place !== undefined; atOnce = Math.min(hoursAtOnce, atOnce * 2)) {
    const hours: Hour[] = []
    while (hours.length < atOnce && (untilMs > fromMs || place !== undefined)) {
      const hourStartMs = Math.floor((place === undefined ? untilMs - 1 : place.atMs) / hourMs) * hourMs
      hours.push({ range: { fromMs: Math.max(hourStartMs, fromMs), toMs: untilMs }, place })
      place = undefined
      untilMs = hourStartMs
    }
    yield hours
  }
}
