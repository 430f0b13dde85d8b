/**
 * The end of a tenure that fell into a time that was not observed. Pure.
 *
 * Guarantees: an end is added only where the lease is known to be free, or another's, after the last sign of the tenure, and a time
 * that was not observed lies between. It lies between that sign and the end of that time, and how it came is not said.
 * Assumes: an end that was observed is among the events by now.
 */
import { beginningKinds, endingKinds } from '../../../lib/contract/leases/event-kinds.ts'
import type { LeaseEvent, LeaseHistory, NotObserved } from '../../../lib/contract/leases/history.ts'

export type SpanSource = Pick<LeaseHistory, 'events' | 'notObserved' | 'before' | 'recordedSince'> & {
  fromMs: number
  toMs: number
  /** They show that a tenure went on after a time that was not observed. */
  renewals?: LeaseHistory['renewals'] | undefined
  /** Who holds the lease at `toMs`; null: no owner; undefined: not known. */
  holder?: string | null | undefined
  /** A read has confirmed that no row is there. Of a table without owners, `holder` alone cannot say so. */
  isFree?: boolean | undefined
}

export const begins = ({ kind }: LeaseEvent): boolean => beginningKinds.includes(kind)
export const ends = ({ kind }: LeaseEvent): boolean => endingKinds.includes(kind)

/** Oldest first; events of one instant keep the server's order. */
export const oldestFirst = (events: readonly LeaseEvent[]): LeaseEvent[] =>
  [...events].reverse().sort((a, b) => Date.parse(a.at) - Date.parse(b.at))

const unseenEnd = 'ended-unseen-'
/** Whether it was added here: what came after it was not seen either. */
export const isUnseenEnd = (event: LeaseEvent | null): boolean => event?.id.startsWith(unseenEnd) ?? false

/** The events, newest first, with the end of the last tenure that no read has seen. */
export function withUnseenEnd(source: SpanSource): LeaseEvent[] {
  const open = endedUnseen(source)
  const gaps = open === null ? [] : gapsOf(source).filter(({ toMs }) => toMs > open.seenMs)
  const [first] = gaps
  const last = open === null ? undefined : lastPossible(gaps, signWithinMs(source, open.event))
  if (open === null || first === undefined || last === undefined) return source.events
  // The time shown ends before `toMs`.
  const atMs = Math.min(last.toMs, source.toMs - 1)
  return withUnseen(source.events, {
    id: `${unseenEnd}${open.event.id}`,
    kind: 'ended-unknown',
    owner: open.event.owner,
    fromMs: Math.max(open.seenMs, first.fromMs),
    atMs,
  })
}

interface Unseen extends Pick<LeaseEvent, 'id' | 'kind' | 'owner'> {
  /** It happened no earlier, and no later than `atMs`, at which it is drawn. */
  fromMs: number
  atMs: number
}

/** The events, newest first, with one that no read has seen; of one instant, it is the newest. */
export function withUnseen(
  events: readonly LeaseEvent[],
  { id, kind, owner, fromMs, atMs }: Unseen,
): LeaseEvent[] {
  const unseen: LeaseEvent = {
    id,
    kind,
    owner,
    at: iso(atMs),
    notBefore: iso(Math.min(atMs, fromMs)),
    notAfter: iso(atMs),
    previousOwner: null,
    token: null,
    version: null,
    ttlSeconds: null,
    source: 'observed',
    reason: null,
    release: null,
  }
  return [unseen, ...events].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** The history has the renewals of a minute once it is over. */
const renewalsWithinMs = 60_000

/** How soon a tenure that is held has a sign in a time that was observed: a renewal, or its end. null: it need not have one. */
function signWithinMs({ notObserved }: SpanSource, { ttlSeconds }: LeaseEvent): number | null {
  const lacksRenewals = notObserved.some(({ what }) => what !== 'everything')
  return ttlSeconds === null || lacksRenewals ? null : ttlSeconds * 1000 + renewalsWithinMs
}

/** The last of these gaps in which the tenure may have ended: the first one that a time without a due sign of it follows. */
function lastPossible(gaps: readonly Gap[], signMs: number | null): Gap | undefined {
  if (signMs === null) return gaps.at(-1)
  return gaps.find(({ toMs }, i) => (gaps[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY) - toMs > signMs)
}

/** Whether the last known tenure ended before the time shown, which has no sign of it. */
export function endedBefore(source: SpanSource): boolean {
  const open = endedUnseen(source)
  return (
    open !== null &&
    open.event === source.before &&
    open.seenMs < source.fromMs &&
    gapsOf(source).length === 0
  )
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** The last tenure, if no event ends it and the lease is not its owner's any more. `seenMs`: the last sign of it. */
function endedUnseen(source: SpanSource): { event: LeaseEvent; seenMs: number } | null {
  const { before, events, holder, isFree, renewals = [] } = source
  if (holder === undefined) return null
  let open = before !== null && begins(before) ? before : null
  for (const event of oldestFirst(events)) {
    if (begins(event)) open = event
    // The late end of a tenure before it ends nothing.
    else if (ends(event) && event.owner === open?.owner) open = null
  }
  if (open === null || (holder === open.owner && isFree !== true)) return null
  const { owner } = open
  const signsMs = renewals
    .filter((each) => each.owner === owner)
    .map(({ at, exact }) => Date.parse(exact?.at(-1)?.at ?? at))
  return { event: open, seenMs: Math.max(Date.parse(open.at), ...signsMs) }
}

interface Gap {
  fromMs: number
  toMs: number
  why: NotObserved['why']
}

/** The gaps of the recorder within the time, in order, none within another. */
export function gapsOf({ notObserved, fromMs, toMs }: SpanSource): Gap[] {
  const gaps: Gap[] = []
  const sorted = notObserved
    .filter(({ what }) => what === 'everything')
    .map(({ from, to, why }) => ({
      fromMs: Math.max(fromMs, Date.parse(from)),
      toMs: Math.min(toMs, Date.parse(to)),
      why,
    }))
    .sort((a, b) => a.fromMs - b.fromMs)
  for (const gap of sorted) {
    const startMs = Math.max(gap.fromMs, gaps.at(-1)?.toMs ?? fromMs)
    if (gap.toMs > startMs) gaps.push({ ...gap, fromMs: startMs })
  }
  return gaps
}
