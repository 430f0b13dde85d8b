import type { Clocked } from '../../lib/client/countdown.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'

/** A holder that follows the protocol renews about a third of its TTL after its last write. Shown, never decided by. */
const renewsAfterShare = 1 / 3

/**
 * When the planned holder's next renewal is expected, on the monotonic clock. null: not known.
 * @param planned how the lease was planned, and when the next renewal was due then (null: that was not known)
 * @param seen the same holder as it was read last, which may have renewed since; null: not read
 */
export function renewalDueAtMs(
  planned: { lease: Lease; dueAtMs: number | null },
  seen: Clocked | null,
): number | null {
  if (seen === null || seen.lease.version === planned.lease.version) return planned.dueAtMs
  const { lease, clock } = seen
  if (lease.ttlSeconds === null || clock.writtenAtMs === null) return null
  return clock.writtenAtMs + lease.ttlSeconds * 1000 * renewsAfterShare
}

/**
 * Until when a holder that was asked at `askedAtMs` reads it, in epoch milliseconds: at its next renewal. null: the
 * lease says nothing of its rhythm.
 * @param lease as it was read nearest to the request
 */
export function answerDueMs(lease: Lease, askedAtMs: number): number | null {
  if (lease.ttlSeconds === null || lease.writtenAt === null) return null
  const renewsAfterMs = lease.ttlSeconds * 1000 * renewsAfterShare
  const dueMs = Date.parse(lease.writtenAt) + renewsAfterMs
  // It was due before it was asked: it comes late, if at all, and one more interval tells.
  return dueMs > askedAtMs ? dueMs : askedAtMs + renewsAfterMs
}
