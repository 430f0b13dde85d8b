import {
  dayMs,
  type EventGap,
  type EventPlace,
  type EventRange,
  type EventStore,
  hourMs,
  type LeaseEvent,
  type RenewalMinute,
} from './lease-event.ts'
import { mergedEvents } from './merge.ts'

/** Hours that are read at once, at most. The first one is read alone: mostly it is enough. */
const hoursAtOnce = 16

export interface HistoryRequest extends EventRange {
  /** `hour`: the renewals of a tenure in one hour, added up. */
  readonly renewals: 'minute' | 'hour' | 'none'
  /** A page ends with the hour in which it has so many entries, and has no more transitions than this. */
  readonly limit: number
  /** `next` of the page before. */
  readonly before?: EventPlace | undefined
}

export interface HistoryPage extends EventRange {
  /** Newest first, each transition once. */
  readonly events: readonly LeaseEvent[]
  /** Newest first. */
  readonly renewals: readonly RenewalMinute[]
  /** What processes that keep leases could not write, newest first, cut to the time of this page. */
  readonly dropped: readonly EventGap[]
  /** null: there is nothing older in the range. */
  readonly next: EventPlace | null
}

/**
 * One page of a lease's history, newest first. Its `fromMs` and `toMs` say what time it tells of.
 * @throws StoreUnavailableError, StoreRefusedError
 */
export async function readHistory(
  store: EventStore,
  name: string,
  { fromMs, toMs, renewals: grain, limit, before }: HistoryRequest,
): Promise<HistoryPage> {
  const untilMs = before?.atMs ?? toMs
  const events: LeaseEvent[] = []
  const minutes: RenewalMinute[] = []
  const page = async (from: number, next: EventPlace | null): Promise<HistoryPage> => ({
    fromMs: from,
    toMs: untilMs,
    events: mergedEvents(events),
    renewals: grain === 'hour' ? byHour(minutes) : minutes,
    dropped: await gapsIn(store, name, { fromMs: from, toMs: untilMs }),
    next,
  })
  for await (const hour of hoursBack(store, name, { fromMs, toMs, grain, limit, before })) {
    const left = limit - events.length
    if (hour.events.length > left) {
      const kept = hour.events.slice(0, left)
      const last = kept.at(-1) ?? (hour.events[0] as LeaseEvent)
      events.push(...kept)
      minutes.push(...hour.renewals.filter(({ atMs }) => atMs >= last.atMs))
      return page(last.atMs, { atMs: last.atMs, id: last.id })
    }
    events.push(...hour.events)
    minutes.push(...hour.renewals)
    const entries = events.length + (grain === 'hour' ? byHour(minutes).length : minutes.length)
    if (entries >= limit && hour.fromMs > fromMs) return page(hour.fromMs, { atMs: hour.fromMs, id: '' })
  }
  return page(fromMs, null)
}

async function gapsIn(store: EventStore, name: string, { fromMs, toMs }: EventRange): Promise<EventGap[]> {
  const days: EventRange[] = []
  for (let day = Math.floor(fromMs / dayMs) * dayMs; day < toMs; day += dayMs)
    days.push({ fromMs: day, toMs: day + dayMs })
  const found = await Promise.all(days.reverse().map((day) => store.gaps(name, day)))
  return found
    .flat()
    .map((gap) => ({ ...gap, fromMs: Math.max(fromMs, gap.fromMs), toMs: Math.min(toMs, gap.toMs) }))
    .filter((gap) => gap.fromMs < gap.toMs)
}

/** The last transition before an instant, as far back as `fromMs`. @throws as `readHistory` */
export async function lastBefore(
  store: EventStore,
  name: string,
  { fromMs, toMs }: EventRange,
): Promise<LeaseEvent | null> {
  const hours = hoursBack(store, name, { fromMs, toMs, grain: 'none', limit: 8 })
  for await (const { events } of hours) if (events.length > 0) return mergedEvents(events)[0] ?? null
  return null
}

interface Hour extends EventRange {
  readonly events: readonly LeaseEvent[]
  readonly renewals: readonly RenewalMinute[]
}

interface Backwards extends EventRange {
  readonly grain: HistoryRequest['renewals']
  readonly limit: number
  readonly before?: EventPlace | undefined
}

async function* hoursBack(
  store: EventStore,
  name: string,
  { fromMs, toMs, grain, limit, before }: Backwards,
): AsyncGenerator<Hour, void, void> {
  // A page that ended within an hour goes on in it.
  const isWithin = before !== undefined && before.id !== ''
  let untilMs = before?.atMs ?? toMs
  let place = isWithin ? before : undefined
  for (let atOnce = 1; untilMs > fromMs || place !== undefined; atOnce = Math.min(hoursAtOnce, atOnce * 2)) {
    const hours: { range: EventRange; place: EventPlace | undefined }[] = []
    while (hours.length < atOnce && (untilMs > fromMs || place !== undefined)) {
      const hourStartMs = Math.floor((place === undefined ? untilMs - 1 : place.atMs) / hourMs) * hourMs
      const range = { fromMs: Math.max(hourStartMs, fromMs), toMs: untilMs }
      hours.push({ range, place })
      place = undefined
      untilMs = hourStartMs
    }
    const read = hours.map(async ({ range, place: after }): Promise<Hour> => {
      const [events, renewals] = await Promise.all([
        store.transitions(name, range, limit + 1, after),
        grain === 'none' ? [] : store.renewals(name, range),
      ])
      return { ...range, events, renewals }
    })
    for (const hour of await Promise.all(read)) yield hour
  }
}

/** @param minutes newest first */
function byHour(minutes: readonly RenewalMinute[]): RenewalMinute[] {
  const hours = new Map<string, RenewalMinute>()
  for (const minute of minutes) {
    const atMs = Math.floor(minute.atMs / hourMs) * hourMs
    const key = JSON.stringify([atMs, minute.owner, minute.source])
    const sum = hours.get(key)
    const margins = [sum?.leastMarginMs ?? null, minute.leastMarginMs].filter((margin) => margin !== null)
    hours.set(key, {
      ...minute,
      atMs,
      count: (sum?.count ?? 0) + minute.count,
      exact: null,
      leastMarginMs: margins.length === 0 ? null : Math.min(...margins),
    })
  }
  return [...hours.values()]
}
