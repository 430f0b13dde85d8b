import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'

/** The holder's reaction to the request to resign, as it was seen. */
export type AskStage =
  /** It still holds it, and its answer is not due yet. */
  | { at: 'waiting' }
  /** It still holds it, and has had the time to read the request. */
  | { at: 'silent' }
  /** Free, before its expiry: it was released. `goneAt`: when a read first found no row, by the server's clock. */
  | { at: 'resigned'; goneAt: string }
  /** Free, and watched until its expiry. */
  | { at: 'expired'; expiresAt: string }
  /** Free, and no read shows how that came: the holder may have renewed in between, and then released. */
  | { at: 'ended' }
  /** Another owner holds it; `broken`: its owner is the mark of a quarantine. */
  | { at: 'taken'; lease: Lease; broken: boolean }

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
  /** When a read first found no row, by the server's clock; null: none has. */
  firstGoneAt: string | null
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
  overdue,
}: AskFacts): AskStage {
  const still: AskStage = overdue ? { at: 'silent' } : { at: 'waiting' }
  if (reading === undefined) return { at: 'waiting' }
  if (reading.held) {
    const { lease } = reading.sighting
    if (lease.owner === owner || lease.read.at < askedAt) return still
    return { at: 'taken', lease, broken: quarantineOf(lease.owner, lease.value) !== null }
  }
  if (reading.now === undefined || reading.now < askedAt) return still
  // A later read says nothing of how it ended: every row is past its expiry some day.
  const goneAt = firstGoneAt ?? reading.now
  if (lastExpiresAt === null || goneAt < lastExpiresAt) return { at: 'resigned', goneAt }
  const wasWatched = lastSeenAt !== null && Date.parse(goneAt) - Date.parse(lastSeenAt) <= watchedWithinMs
  return wasWatched ? { at: 'expired', expiresAt: lastExpiresAt } : { at: 'ended' }
}
