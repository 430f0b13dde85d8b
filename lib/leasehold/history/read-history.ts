import { hoursBack, type Portion } from './hours-back.ts'
import {
  dayMs,
  type EventGap,
  type EventPlace,
  type EventRange,
  type EventStore,
  type HistoryPlace,
  hourMs,
  type LeaseEvent,
  type RenewalMinute,
} from './lease-event.ts'
import { clocksMs, mergedEvents } from './merge.ts'
import { contextRowsMax, PageRows } from './page-rows.ts'

/** Transitions that are read at once, at least: a page of one needs the rows around it. */
const rowsAtOnce = 32

export interface HistoryRequest extends EventRange {
  /** `hour`: the renewals of a tenure in one hour, added up, on the page that has the hour's beginning. */
  readonly renewals: 'minute' | 'hour' | 'none'
  /**
   * A page ends with the hour in which it has so many entries, and has no more transitions than this; an end that no row tells
   * of comes with the beginning after it, and is not counted.
   */
  readonly limit: number
  /** `next` of the page before. */
  readonly before?: HistoryPlace | undefined
}

export interface HistoryPage extends EventRange {
  /** Newest first, each transition once. */
  readonly events: readonly LeaseEvent[]
  /** Newest first. */
  readonly renewals: readonly RenewalMinute[]
  /** What processes that keep leases could not write, newest first, cut to the time of this page. */
  readonly dropped: readonly EventGap[]
  /** null: there is nothing older in the range. */
  readonly next: HistoryPlace | null
}

/**
 * One page of a lease's history, newest first. Its `fromMs` and `toMs` say what time it tells of.
 * Guarantees: the pages of a range, whatever their limit, tell together what one large page tells (`page-rows.ts`).
 *
 * 1. Rows are read from the end of the page before, and up to where that page said that they still count.
 * 2. The page ends with its last transition, or with an hour.
 * 3. Rows beyond that end are read as far as they decide what the page tells, renewals excepted.
 * @throws StoreUnavailableError, StoreRefusedError
 */
export async function readHistory(
  store: EventStore,
  name: string,
  { fromMs, toMs, renewals: grain, limit, before }: HistoryRequest,
): Promise<HistoryPage> {
  const rows = new PageRows({ fromMs, toMs }, before)
  const minutes: RenewalMinute[] = []
  // Of pages before: at first what they said, then what the rows of this one need.
  let newerToMs = before?.atMs ?? toMs
  const readNewer = async (untilMs: number) => {
    const range = { fromMs: newerToMs, toMs: untilMs }
    newerToMs = untilMs
    rows.addNewer(await rowsIn(store, name, range))
  }
  if (before !== undefined)
    await readNewer(Math.min(toMs, Math.max(before.atMs, before.contextMs ?? before.atMs + clocksMs)))
  // An hour that the page before ended within has its entry on this page, with its newer minutes too.
  const hourEndMs = before === undefined ? 0 : Math.min(toMs, Math.ceil(before.atMs / hourMs) * hourMs)
  if (before !== undefined && grain === 'hour' && hourEndMs > before.atMs)
    minutes.push(...(await store.renewals(name, { fromMs: before.atMs, toMs: hourEndMs })))
  const needsNewer = (place: EventPlace) => rows.reachToMs(place) > newerToMs
  let end: EventPlace | undefined
  let beyond = 0
  const atOnce = Math.max(limit + 1, rowsAtOnce)
  const wantsRenewals = () => end === undefined && grain !== 'none'
  for await (const portion of hoursBack(store, name, { fromMs, toMs, atOnce, wantsRenewals, before })) {
    rows.addOlder(portion.events, portion.fromMs, portion.goesOn)
    if (end === undefined) {
      minutes.push(...portion.renewals)
      end = endOf(portion, rows, { fromMs, limit, renewals: entriesOf(minutes, grain).length })
    } else beyond += portion.events.length
    if (end === undefined) continue
    // A newer row may show that the end before a beginning is an older one.
    while (rows.isSettled(end) && needsNewer(end)) await readNewer(rows.reachToMs(end))
    if (beyond >= contextRowsMax || rows.isSettled(end)) break
  }
  const last = end ?? { atMs: fromMs, id: '' }
  while (needsNewer(last)) await readNewer(rows.reachToMs(last))
  const told = { fromMs: last.atMs, toMs: before?.atMs ?? toMs }
  return {
    ...told,
    events: rows.told(last),
    renewals: entriesOf(minutes, grain).filter(({ atMs }) => Math.max(atMs, fromMs) >= last.atMs),
    dropped: await gapsIn(store, name, told),
    next: end === undefined ? null : rows.next(end),
  }
}

/** Where a page ends, once enough was read. undefined: it goes on. */
function endOf(
  portion: Portion,
  rows: PageRows,
  { fromMs, limit, renewals }: { fromMs: number; limit: number; renewals: number },
): EventPlace | undefined {
  // Each shown transition is a row at least.
  if (rows.count + renewals < limit) return undefined
  const shown = rows.shown()
  const last = shown[limit - 1]
  if (last !== undefined && shown.length > limit) return { atMs: last.atMs, id: last.id }
  const isAtEdge = !portion.goesOn && portion.fromMs > fromMs
  return isAtEdge && shown.length + renewals >= limit ? { atMs: portion.fromMs, id: '' } : undefined
}

/** @returns newest first, no more than `contextRowsMax` or so */
async function rowsIn(store: EventStore, name: string, range: EventRange): Promise<LeaseEvent[]> {
  const found: LeaseEvent[] = []
  const back = { ...range, atOnce: rowsAtOnce, wantsRenewals: () => false }
  for await (const { events } of hoursBack(store, name, back)) {
    found.push(...events)
    if (found.length >= contextRowsMax) break
  }
  return found
}

const entriesOf = (minutes: readonly RenewalMinute[], grain: HistoryRequest['renewals']) =>
  grain === 'hour' ? byHour(minutes) : minutes

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
  const hours = hoursBack(store, name, { fromMs, toMs, atOnce: 8, wantsRenewals: () => false })
  for await (const { events } of hours) if (events.length > 0) return mergedEvents(events)[0] ?? null
  return null
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
