import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'

/** The holder's reaction to the request to resign, as it was seen. */
export type AskStage =
  /** It still holds it, and its answer is not due yet. */
  | { at: 'waiting' }
  /** It still holds it, and has had the time to read the request. */
  | { at: 'silent' }
  /** Free, before its expiry, and no operator took it: the holder released it. `goneAt`: the first read that did not show it, by the server's clock. */
  | { at: 'resigned'; goneAt: string }
  /** Free: an operator killed it after the request. */
  | { at: 'killed' }
  /** Free, and watched until its expiry. */
  | { at: 'expired'; expiresAt: string }
  /** Free, and no read shows how that came: the holder may have renewed in between, and then released. */
  | { at: 'ended' }
  /** Its owner is the mark of a quarantine. */
  | { at: 'broken'; lease: Lease }
  /** Another owner holds it. `how`: how the one who was asked lost it, as the stages of a free lease say it. */
  | { at: 'taken'; lease: Lease; how: 'resigned' | 'killed' | 'ended'; goneAt: string }

/** `unclear`: whether an operator took the lease from the holder is not known. */
type Force = 'none' | 'killed' | 'unclear'

/** What operators did to the holder who was asked, by the last releases of its lease. */
export function forceOn(owner: string | null, releases: readonly LeaseRelease[]): Force {
  const outcomes = releases
    .filter((release) => release.mode !== 'ask' && release.owner === owner)
    .map(({ outcome }) => outcome)
  if (outcomes.some((outcome) => outcome === 'released' || outcome === 'broken')) return 'killed'
  const mayHave: readonly string[] = ['pending', 'unknown', 'superseded']
  return outcomes.some((outcome) => mayHave.includes(outcome)) ? 'unclear' : 'none'
}

/** A longer pause between two reads may hide a renewal and a release. */
const watchedWithinMs = 5_000

interface AskFacts {
  /** Who was asked. */
  owner: string | null
  askedAt: string
  /** The last read; undefined: none yet. */
  reading: LeaseReading | undefined
  /** The expiry of the holder as it was last seen. */
  lastExpiresAt: string | null
  /** The last read that showed the holder, by the server's clock; null: none did since this page was opened. */
  lastSeenAt: string | null
  /** When a read first showed the holder no more, by the server's clock; null: none has. */
  firstGoneAt: string | null
  /** What operators did to the same holder; undefined: not read yet. */
  force: Force | undefined
  /** Its answer was due, and a little more has passed. */
  overdue: boolean
}

/** What a read that is younger than the request says of it. An older one says nothing. */
export function askStage({
  owner,
  askedAt,
  reading,
  lastExpiresAt,
  lastSeenAt,
  firstGoneAt,
  force,
  overdue,
}: AskFacts): AskStage {
  const still: AskStage = overdue ? { at: 'silent' } : { at: 'waiting' }
  if (reading === undefined) return { at: 'waiting' }
  if (reading.held) {
    const { lease } = reading.sighting
    if (lease.owner === owner || lease.read.at < askedAt) return still
    if (quarantineOf(lease.owner, lease.value) !== null) return { at: 'broken', lease }
    if (force === undefined) return still
    const goneAt = firstGoneAt ?? lease.read.at
    // Before its expiry no other owner comes in, unless the holder or an operator made room.
    const wasEarly = lastExpiresAt === null || goneAt < lastExpiresAt
    const how = force === 'killed' ? 'killed' : force === 'none' && wasEarly ? 'resigned' : 'ended'
    return { at: 'taken', lease, how, goneAt }
  }
  if (reading.now === undefined || reading.now < askedAt) return still
  if (force === undefined) return still
  if (force === 'killed') return { at: 'killed' }
  if (force === 'unclear') return { at: 'ended' }
  // A later read says nothing of how it ended: every row is past its expiry some day.
  const goneAt = firstGoneAt ?? reading.now
  if (lastExpiresAt === null || goneAt < lastExpiresAt) return { at: 'resigned', goneAt }
  const wasWatched = lastSeenAt !== null && Date.parse(goneAt) - Date.parse(lastSeenAt) <= watchedWithinMs
  return wasWatched ? { at: 'expired', expiresAt: lastExpiresAt } : { at: 'ended' }
}
