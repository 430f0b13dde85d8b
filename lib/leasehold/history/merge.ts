/**
 * One transition is shown once, however many sources wrote it down.
 *
 * Guarantees: of several rows about the same end, or beginning, of one tenure the best source stays: the library, which
 * was there; else the console, which released by force; else the recorder. A forced release stands before the loss that the
 * holder noted because of it.
 * Does not guarantee: that a transition without a row appears. A beginning that follows another owner's beginning shows that
 * there was an end in between, and that alone is added, as `ended-unknown`.
 * Of a part of a history it gives what it gives of the whole, for each row whose reach (`reachOf`) the part contains.
 * Assumes: the clocks of the sources differ by less than `toleranceMs`.
 */
import { bareEvent, type EventRange, type LeaseEvent, type LeaseEventKind } from './lease-event.ts'

const toleranceMs = 5_000
/** A row that is later by so much, or more, is not about the same transition, unless its times say so. */
export const clocksMs = toleranceMs + 1
const beginnings: readonly LeaseEventKind[] = ['acquired', 'changed-hands']
const endings: readonly LeaseEventKind[] = [
  'resigned',
  'released',
  'expired',
  'broken',
  'killed',
  'lost',
  'ended-unknown',
]

export const isBeginning = ({ kind }: Pick<LeaseEvent, 'kind'>): boolean => beginnings.includes(kind)
export const isEnding = ({ kind }: Pick<LeaseEvent, 'kind'>): boolean => endings.includes(kind)

/** @param events of one lease, in any order @returns newest first */
export const mergedEvents = (events: readonly LeaseEvent[]): LeaseEvent[] =>
  withUnseenEnds(mergedRows(events))

/** The rows that stay, without the ends that no row tells of. @param events of one lease, in any order @returns newest first */
export function mergedRows(events: readonly LeaseEvent[]): LeaseEvent[] {
  const sorted = events.toSorted(newestFirst)
  const unique = [...new Map(sorted.map((event) => [event.id, event])).values()]
  return mergeEndings(mergeBeginnings(unique)).sort(newestFirst)
}

/** Between which times rows may stand that decide what becomes of this one. */
export function reachOf({ kind, source, atMs, notBeforeMs, notAfterMs, ttlSeconds }: LeaseEvent): EventRange {
  const ttlMs = (ttlSeconds ?? 0) * 1000
  const isLost = kind === 'lost'
  // An observed end may be that of a lease which its holder lost a TTL before.
  const earlierMs = isLost || (source === 'observed' && endings.includes(kind)) ? ttlMs : 0
  return {
    fromMs: Math.min(notBeforeMs ?? atMs, atMs) - toleranceMs - earlierMs,
    toMs: Math.max(notAfterMs ?? atMs, atMs) + toleranceMs + (isLost ? ttlMs : 0) + 1,
  }
}

export const newestFirst = (one: LeaseEvent, other: LeaseEvent): number =>
  other.atMs - one.atMs || (other.id > one.id ? 1 : other.id < one.id ? -1 : 0)

/** Whether `event` may have happened when `exact` did. A lease that its holder lost stands until it expires. */
function isSame(exact: LeaseEvent, event: LeaseEvent): boolean {
  if (exact.owner !== event.owner) return false
  const laterMs = exact.kind === 'lost' ? (exact.ttlSeconds ?? 0) * 1000 : 0
  const from = (event.notBeforeMs ?? event.atMs) - toleranceMs - laterMs
  const to = (event.notAfterMs ?? event.atMs) + toleranceMs
  return exact.atMs >= from && exact.atMs <= to
}

function mergeBeginnings(events: readonly LeaseEvent[]): LeaseEvent[] {
  const [exact, observed] = [
    events.filter((event) => isBeginning(event) && event.source !== 'observed'),
    events.filter((event) => isBeginning(event) && event.source === 'observed'),
  ]
  const merged = new Map<LeaseEvent, LeaseEvent>(events.map((event) => [event, event]))
  // What the recorder adds to an exact row stays, whichever of the two is newer.
  for (const event of [...exact, ...observed]) {
    const same = event.source === 'observed' ? exact.find((each) => isSame(each, event)) : undefined
    const isEndKnown = events.some(
      (end) =>
        isEnding(end) &&
        end.owner === event.previousOwner &&
        end.atMs <= event.atMs + toleranceMs &&
        end.atMs >= (event.notBeforeMs ?? event.atMs) - toleranceMs,
    )
    // That it changed hands says that nothing is known of the end before it.
    const kind = event.kind === 'changed-hands' && isEndKnown ? 'acquired' : event.kind
    if (same === undefined) merged.set(event, { ...event, kind })
    else {
      merged.delete(event)
      const previousOwner = same.previousOwner ?? event.previousOwner
      merged.set(same, { ...same, kind, previousOwner, version: same.version ?? event.version })
    }
  }
  return [...merged.values()]
}

function mergeEndings(events: readonly LeaseEvent[]): LeaseEvent[] {
  const ends = events.filter(isEnding)
  const forced = ends.filter(({ kind }) => kind === 'broken' || kind === 'killed')
  const isTold = (event: LeaseEvent): boolean => {
    if (event.source === 'observed')
      return ends.some((each) => each.source !== 'observed' && isSame(each, event))
    // The holder notes the loss at its next renewal.
    if (event.kind !== 'lost') return false
    const withinMs = (event.ttlSeconds ?? 0) * 1000 + toleranceMs
    return forced.some((each) => each.owner === event.owner && Math.abs(event.atMs - each.atMs) <= withinMs)
  }
  return events.filter((event) => !isEnding(event) || !isTold(event))
}

/** The row that says how the holder before an event ended, or that it began. @param events newest first */
export function beforeIn(events: readonly LeaseEvent[], index: number): LeaseEvent | undefined {
  for (let older = index + 1; older < events.length; older++) {
    const event = events[older] as LeaseEvent
    if (isBeginning(event) || isEnding(event)) return event
  }
  return undefined
}

/** @param events merged, newest first @param isShown which of them are returned; the others only say what came before */
export function withUnseenEnds(
  events: readonly LeaseEvent[],
  isShown: (event: LeaseEvent) => boolean = () => true,
): LeaseEvent[] {
  return events.flatMap((event, index) => {
    if (!isShown(event)) return []
    const before = event.kind === 'acquired' ? beforeIn(events, index) : undefined
    const isUnseen =
      before !== undefined && isBeginning(before) && before.owner !== null && before.owner !== event.owner
    return isUnseen ? [{ ...event, previousOwner: before.owner }, unseenEnd(event, before)] : [event]
  })
}

const unseenEnd = (event: LeaseEvent, before: LeaseEvent): LeaseEvent => ({
  ...bareEvent,
  id: `ended-before-${event.id}`,
  name: event.name,
  kind: 'ended-unknown',
  source: 'observed',
  atMs: event.notAfterMs ?? event.atMs,
  notBeforeMs: Math.max(event.notBeforeMs ?? before.atMs, before.atMs),
  notAfterMs: event.notAfterMs ?? event.atMs,
  owner: before.owner,
})
