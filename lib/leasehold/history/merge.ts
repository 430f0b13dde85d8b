/**
 * One transition is shown once, however many sources wrote it down.
 *
 * Guarantees: of several rows about the same end, or beginning, of one tenure the best source stays: the library, which
 * was there; else the console, which released by force; else the recorder. A forced release stands before the loss that the
 * holder noted because of it.
 * Does not guarantee: that a transition without a row appears. A beginning that follows another owner's beginning shows that
 * there was an end in between, and that alone is added, as `ended-unknown`.
 * Assumes: the clocks of the sources differ by less than `toleranceMs`.
 */
import { bareEvent, type LeaseEvent, type LeaseEventKind } from './lease-event.ts'

const toleranceMs = 5_000
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
export function mergedEvents(events: readonly LeaseEvent[]): LeaseEvent[] {
  const unique = [...new Map(events.map((event) => [event.id, event])).values()]
  const began = mergeBeginnings(unique)
  const ended = mergeEndings(began)
  return withUnseenEnds(ended.sort(newestFirst))
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
  const exact = events.filter((event) => isBeginning(event) && event.source !== 'observed')
  const merged = new Map<LeaseEvent, LeaseEvent>(events.map((event) => [event, event]))
  for (const event of events) {
    if (!isBeginning(event)) continue
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

/** @param events newest first */
function withUnseenEnds(events: readonly LeaseEvent[]): LeaseEvent[] {
  const all: LeaseEvent[] = []
  for (const [index, event] of events.entries()) {
    const before = events.slice(index + 1).find((each) => isBeginning(each) || isEnding(each))
    const isUnseen =
      event.kind === 'acquired' &&
      before !== undefined &&
      isBeginning(before) &&
      before.owner !== null &&
      before.owner !== event.owner
    if (!isUnseen) {
      all.push(event)
      continue
    }
    all.push({ ...event, previousOwner: before.owner })
    const notBeforeMs = event.notBeforeMs ?? before.atMs
    all.push({
      ...bareEvent,
      id: `ended-before-${event.id}`,
      name: event.name,
      kind: 'ended-unknown',
      source: 'observed',
      atMs: event.notAfterMs ?? event.atMs,
      notBeforeMs: Math.max(notBeforeMs, before.atMs),
      notAfterMs: event.notAfterMs ?? event.atMs,
      owner: before.owner,
    })
  }
  return all
}
