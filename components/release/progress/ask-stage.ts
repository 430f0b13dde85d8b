import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { mayActUntilMs, tenureEnd } from '../../../lib/client/row/tenure-end.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'

/**
 * How the holder that was asked lost the lease. No read shows that it did what it was asked: another program may have deleted the row.
 * `mayActUntilMs`: until when it may act then, in epoch milliseconds; null: it has no deadline.
 */
export type AskEnd =
  /** Before its expiry, and not by the console. `goneAt`: the first read that did not show it, by the server's clock. */
  | { how: 'released'; goneAt: string; mayActUntilMs: number | null }
  /** An operator killed it after the request. */
  | { how: 'killed'; mayActUntilMs: number | null }
  /** An operator broke it after the request. */
  | { how: 'broken' }
  /** It was watched until its expiry. */
  | { how: 'expired'; expiresAt: string }
  /** It may have been renewed, and then deleted, while it was not read. */
  | { how: 'unseen'; mayActUntilMs: number | null }

/** The holder's reaction to the request to resign, as it was seen. */
export type AskStage =
  /** No read since the request was answered. `hasFailed`: one failed. */
  | { at: 'unread'; hasFailed: boolean }
  /** It still holds it, and its answer is not due yet. */
  | { at: 'waiting' }
  /** It still holds it, and has had the time to read the request. */
  | { at: 'silent' }
  /** A read does not show it any more; what operators did to it is not read yet. */
  | { at: 'gone' }
  | { at: 'free'; end: AskEnd }
  /** Its owner is the mark of a quarantine. */
  | { at: 'broken'; lease: Lease }
  /** Another tenure has begun, mostly of another owner. */
  | { at: 'taken'; lease: Lease; end: AskEnd }

/** `unclear`: whether an operator took the lease from the holder is not known. `safeAt`: until when that one may act; null: for ever. */
type Force =
  | { kind: 'none' }
  | { kind: 'killed'; safeAt: string | null }
  | { kind: 'broken' }
  | { kind: 'unclear' }

const mayHaveEnded: readonly string[] = ['released', 'broken', 'pending', 'unknown', 'superseded']

/**
 * What operators did to the holder that was asked, by the last releases of its lease. An owner id may have had other tenures: what was
 * done before the request, or after the holder was gone, was done to those.
 */
export function forceOn(
  { owner, askedAt, firstGoneAt }: Pick<AskFacts, 'owner' | 'askedAt' | 'firstGoneAt'>,
  releases: readonly LeaseRelease[],
): Force {
  const ofTenure = releases.filter(
    (release) =>
      release.mode !== 'ask' &&
      release.owner === owner &&
      mayHaveEnded.includes(release.outcome) &&
      (firstGoneAt === null || release.requestedAt <= firstGoneAt) &&
      mayBeAfter(release, askedAt),
  )
  const certain = ofTenure.find(
    ({ outcome, requestedAt, doneAt }) =>
      (outcome === 'released' || outcome === 'broken') && (doneAt ?? requestedAt) >= askedAt,
  )
  if (certain?.outcome === 'released') return { kind: 'killed', safeAt: certain.safeAt }
  if (certain !== undefined) return { kind: 'broken' }
  return { kind: ofTenure.length === 0 ? 'none' : 'unclear' }
}

/** What the query of the releases says of that. */
interface ReleasesRead {
  data: { now: string; releases: readonly LeaseRelease[] } | undefined
  isError: boolean
  isFetchedAfterMount: boolean
}

/**
 * @param goneAt the first read that did not show the holder, by the server's clock: an answer from before that may be a cached one
 * @returns undefined: not read yet
 */
export function forceRead(
  { data, isError, isFetchedAfterMount }: ReleasesRead,
  facts: Pick<AskFacts, 'owner' | 'askedAt' | 'firstGoneAt'>,
  goneAt: string | null,
): Force | undefined {
  if (goneAt === null) return undefined
  if (data !== undefined && data.now >= goneAt) return forceOn(facts, data.releases)
  // While a read that failed is tried again, the query is no error any more.
  return isError || (isFetchedAfterMount && data === undefined) ? { kind: 'unclear' } : undefined
}

/** Where the time of its effect is not known: by `safeAt`, which is later than that. */
const mayBeAfter = ({ requestedAt, doneAt, safeAt }: LeaseRelease, askedAt: string): boolean =>
  requestedAt >= askedAt || (doneAt !== null ? doneAt >= askedAt : safeAt === null || safeAt > askedAt)

interface AskFacts {
  /** Who was asked. */
  owner: string | null
  askedAt: string
  /** The last read; undefined: none yet. */
  reading: LeaseReading | undefined
  /** The newest read, or the first one, failed. */
  hasFailed: boolean
  /** The holder as it was last seen. `seenAt`: by the server's clock; null: by no read since this page was opened. */
  last: Pick<Lease, 'expiresAt' | 'ttlSeconds'> & { seenAt: string | null }
  /** When a read first showed the holder no more, by the server's clock; null: none has. */
  firstGoneAt: string | null
  /** What operators did to the same holder; undefined: not read yet. */
  force: Force | undefined
  /** When its answer was due, and a little more, by the server's clock in epoch milliseconds; null: not known. */
  overdueAtMs: number | null
}

/** What a read that is younger than the request says of it. An older one says nothing. */
export function askStage(facts: AskFacts): AskStage {
  const { owner, askedAt, reading, hasFailed, firstGoneAt, force } = facts
  if (reading === undefined) return { at: 'unread', hasFailed }
  if (reading.held) {
    const { lease } = reading.sighting
    if (lease.read.at < askedAt) return { at: 'unread', hasFailed }
    if (lease.owner === owner && !isAgain(lease, firstGoneAt)) return stillHeld(facts, lease)
    if (quarantineOf(lease.owner, lease.value) !== null) return { at: 'broken', lease }
    if (force === undefined) return { at: 'gone' }
    const end = endOf(facts, firstGoneAt ?? lease.read.at, force)
    // Another program comes in at the very expiry: that the holder did not renew until then was not seen.
    if (end.how !== 'expired') return { at: 'taken', lease, end }
    return { at: 'taken', lease, end: unseen(facts, firstGoneAt ?? lease.read.at) }
  }
  if (reading.now === undefined || reading.now < askedAt) return { at: 'unread', hasFailed }
  if (force === undefined) return { at: 'gone' }
  // A later read says nothing of how it ended: every row is past its expiry some day.
  return { at: 'free', end: endOf(facts, firstGoneAt ?? reading.now, force) }
}

/** Not the time that has passed, but a read from after the due time shows that the holder keeps the lease. */
const stillHeld = ({ overdueAtMs }: AskFacts, { read }: Lease): AskStage =>
  overdueAtMs !== null && Date.parse(read.at) >= overdueAtMs ? { at: 'silent' } : { at: 'waiting' }

/** The same owner, in a tenure that began after a read without it. */
export const isAgain = ({ read }: Pick<Lease, 'read'>, firstGoneAt: string | null): boolean =>
  firstGoneAt !== null && read.at > firstGoneAt

function endOf(facts: AskFacts, goneAt: string, force: Force): AskEnd {
  if (force.kind === 'broken') return { how: 'broken' }
  if (force.kind === 'killed')
    return { how: 'killed', mayActUntilMs: force.safeAt === null ? null : Date.parse(force.safeAt) }
  const { expiresAt, seenAt, ttlSeconds } = facts.last
  const goneAtMs = Date.parse(goneAt)
  const end = tenureEnd({
    expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
    goneAtMs,
    unseenForMs: seenAt === null ? null : goneAtMs - Date.parse(seenAt),
  })
  if (end === 'unseen' || force.kind === 'unclear') return unseen(facts, goneAt)
  if (end === 'expired' && expiresAt !== null) return { how: 'expired', expiresAt }
  return { how: 'released', goneAt, mayActUntilMs: mayActUntilMs(goneAtMs, ttlSeconds) }
}

const unseen = ({ last }: AskFacts, goneAt: string): AskEnd => ({
  how: 'unseen',
  mayActUntilMs: mayActUntilMs(Date.parse(goneAt), last.ttlSeconds),
})
