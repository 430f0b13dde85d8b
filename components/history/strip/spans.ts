/**
 * From the events of a lease to the spans that a timeline draws. Pure.
 *
 * Guarantees: the spans are in order, do not overlap, and cover the time asked for exactly once. A time that was not observed is
 * always a span of its own, also where an exact event lies within it. A holder is named only where an event or a renewal names it. A tenure
 * whose end no event shows ends with the last sign of it before a time that was not observed, unless its owner holds the lease now.
 */
import type { LeaseEvent, NotObserved } from '../../../lib/contract/leases/history.ts'
import {
  begins,
  endedBefore,
  ends,
  gapsOf,
  isUnseenEnd,
  oldestFirst,
  type SpanSource,
  withUnseenEnd,
} from './unseen-end.ts'

/** `none`: it was observed, and no read saw a tenure of the lease before: it was no leader's to miss. */
type SpanKind = 'held' | 'free' | 'quarantined' | 'unknown' | 'none'

export interface Span {
  kind: SpanKind
  fromMs: number
  toMs: number
  /** Of `held`: the holder. Of a time that was not observed: the holder both before and after it. */
  owner: string | null
  /** The tenure that the span is a part of, by its beginning; null: it began before all that is known. */
  beganAtMs: number | null
  /** How it ended, or what ended the tenure before it. null: it did not, or that is not known. */
  event: LeaseEvent | null
  /** Of `unknown`: why. `no-event`: it was observed, and no event says who held the lease. */
  why: NotObserved['why'] | 'before-records' | 'no-event' | null
}

type Piece = Omit<Span, 'fromMs' | 'toMs'>

const notKnown = (why: Span['why']): Piece => ({
  kind: 'unknown',
  owner: null,
  beganAtMs: null,
  event: null,
  why,
})

function heldBy(owner: string | null, beganAtMs: number | null): Piece {
  return { kind: 'held', owner, beganAtMs, event: null, why: null }
}

/** What follows an event; null: what was goes on. */
function after(event: LeaseEvent, current: Piece): Piece | null {
  if (begins(event)) return heldBy(event.owner, Date.parse(event.at))
  if (event.kind === 'asked') return current.kind === 'unknown' ? heldBy(event.owner, null) : null
  // The end of a tenure that another holder's beginning has ended already.
  const isOld = ends(event) && current.kind === 'held' && current.owner !== event.owner
  if (isOld) return null
  const kind = event.kind === 'broken' ? 'quarantined' : 'free'
  // The holder stopped, or was broken; its row went later.
  if (current.kind === kind) return null
  if (current.kind === 'quarantined' && event.kind !== 'quarantine-ended') return null
  return { kind, owner: null, beganAtMs: null, event, why: null }
}

/** What the first event of the time says of the time before it. */
function beforeFirst(event: LeaseEvent): Piece {
  if (ends(event)) return heldBy(event.owner, null)
  if (event.kind === 'asked') return heldBy(event.owner, null)
  if (event.kind === 'quarantine-ended') return { ...notKnown(null), kind: 'quarantined' }
  if (event.previousOwner !== null) return heldBy(event.previousOwner, null)
  return { ...notKnown(null), kind: 'none' }
}

/** What is known of a time that was observed and left no event. */
function withoutEvents({ holder, isFree }: SpanSource): Piece {
  return holder === null && isFree === true ? { ...notKnown(null), kind: 'none' } : notKnown('no-event')
}

/**
 * Who held the lease between an end that no read saw and the next event: it may have been another's by the end of that gap, and no event
 * tells of that beginning.
 */
function hiddenAfter(source: SpanSource, free: Piece, next: LeaseEvent): { piece: Piece; untilMs: number } {
  const [fromMs, toMs] = [Date.parse(free.event?.at ?? ''), Date.parse(next.at)]
  if (!begins(next))
    return { piece: next.owner === free.event?.owner ? free : beforeFirst(next), untilMs: toMs }
  if (next.previousOwner !== null) return { piece: heldBy(next.previousOwner, null), untilMs: toMs }
  // A recorder that watched from a gap to this event would have seen another holder before it.
  const gap = gapsOf(source).findLast((each) => each.fromMs >= fromMs && each.fromMs < toMs)
  if (gap === undefined) return { piece: free, untilMs: fromMs }
  const owners = renewersOf(source, fromMs, toMs).filter((each) => each !== next.owner)
  const piece = owners.length === 1 ? heldBy(owners[0] ?? null, null) : notKnown('no-event')
  return { piece, untilMs: Math.min(gap.toMs, toMs) }
}

/** Who renewed the lease in minutes that began within this time. */
const renewersOf = ({ renewals = [] }: SpanSource, fromMs: number, toMs: number): (string | null)[] => [
  ...new Set(
    renewals.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs).map(({ owner }) => owner),
  ),
]

/** Who held the lease, as if all of the time had been observed. */
function tenures(source: SpanSource): Span[] {
  const { before, recordedSince, fromMs, toMs } = source
  const sorted = oldestFirst(withUnseenEnd(source)).filter(
    ({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs,
  )
  const spans: Span[] = []
  let sinceMs = fromMs
  const push = (piece: Piece, untilMs: number) => {
    if (untilMs > sinceMs) spans.push({ ...piece, fromMs: sinceMs, toMs: untilMs })
    sinceMs = Math.max(sinceMs, untilMs)
  }
  let current = before === null ? null : (after(before, notKnown('no-event')) ?? notKnown('no-event'))
  if (endedBefore(source))
    current = source.holder === null ? { ...notKnown(null), kind: 'free' } : notKnown('no-event')
  if (current === null) {
    const first = sorted[0]
    const knownFromMs = recordedSince === null ? Number.POSITIVE_INFINITY : Date.parse(recordedSince)
    const firstMs = first === undefined ? toMs : Date.parse(first.at)
    const isTold = first !== undefined && (!begins(first) || first.previousOwner !== null)
    if (isTold) current = beforeFirst(first)
    else {
      push(notKnown('before-records'), Math.min(knownFromMs, firstMs))
      current = first === undefined ? withoutEvents(source) : beforeFirst(first)
    }
  }
  for (const event of sorted) {
    const atMs = Date.parse(event.at)
    if (isUnseenEnd(current.event)) {
      const hidden = hiddenAfter(source, current, event)
      push(hidden.piece, hidden.untilMs)
      if (ends(event) && event.owner !== current.event?.owner) current = heldBy(event.owner, null)
    }
    const next = after(event, current)
    if (next === null) continue
    const tells = current.kind === 'held' && (ends(event) || begins(event))
    if (tells && event.kind === 'ended-unknown' && event.notBefore !== null) {
      push({ ...current, event }, Date.parse(event.notBefore))
      push(notKnown('no-event'), atMs)
    }
    push(tells ? { ...current, event } : current, atMs)
    current = next
  }
  // Another's beginning, which no event shows, ended the time without a holder at an instant that is not known.
  const isOthers = current.event?.kind === 'ended-unknown' && current.kind === 'free' && source.holder != null
  if (isOthers) current = notKnown('no-event')
  push(current, toMs)
  return spans
}

export function spansOf(source: SpanSource): Span[] {
  if (source.toMs <= source.fromMs) return []
  const known = tenures(source)
  const gaps = gapsOf(source)
  const spans: Span[] = []
  let next = 0
  const takeKnown = (fromMs: number, toMs: number) => {
    if (toMs <= fromMs) return
    while (next < known.length && (known[next] as Span).toMs <= fromMs) next += 1
    for (let at = next; at < known.length && (known[at] as Span).fromMs < toMs; at += 1) {
      const span = known[at] as Span
      spans.push({ ...span, fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) })
    }
  }
  let sinceMs = source.fromMs
  for (const gap of gaps) {
    takeKnown(sinceMs, gap.fromMs)
    const within = known.find(({ fromMs, toMs }) => fromMs <= gap.fromMs && toMs >= gap.toMs)
    const isThrough = within?.kind === 'held'
    spans.push({
      ...notKnown(gap.why),
      fromMs: gap.fromMs,
      toMs: gap.toMs,
      owner: isThrough ? within.owner : null,
      beganAtMs: isThrough ? within.beganAtMs : null,
    })
    sinceMs = gap.toMs
  }
  takeKnown(sinceMs, source.toMs)
  return spans
}

export interface Totals {
  heldMs: number
  /** Free and quarantined: for so long no holder was seen. */
  leaderlessMs: number
  /** Within the two below: no holder is known both before and after, so that a part of it may have been without one. */
  perhapsLeaderlessMs: number
  /** It was not observed. */
  unknownMs: number
  /** It was observed, and no event says who held the lease. */
  withoutEventMs: number
  /** Beginnings of a tenure of another owner than the last known one. */
  handOvers: number
}

function partOf({ kind, why }: Span): 'heldMs' | 'leaderlessMs' | 'unknownMs' | 'withoutEventMs' {
  if (kind === 'held') return 'heldMs'
  if (kind !== 'unknown') return 'leaderlessMs'
  return why === 'no-event' ? 'withoutEventMs' : 'unknownMs'
}

export function totalsOf(source: SpanSource): Totals {
  const totals: Totals = {
    heldMs: 0,
    leaderlessMs: 0,
    perhapsLeaderlessMs: 0,
    unknownMs: 0,
    withoutEventMs: 0,
    handOvers: 0,
  }
  for (const span of spansOf(source)) {
    const lengthMs = span.toMs - span.fromMs
    if (span.kind !== 'none') totals[partOf(span)] += lengthMs
    if (span.kind === 'unknown' && span.owner === null) totals.perhapsLeaderlessMs += lengthMs
  }
  let last = source.before?.owner ?? null
  for (const event of oldestFirst(source.events)) {
    if (!begins(event)) {
      if (event.owner !== null) last = event.owner
      continue
    }
    const previous = event.previousOwner ?? last
    if (previous !== null && previous !== event.owner) totals.handOvers += 1
    last = event.owner
  }
  return totals
}
