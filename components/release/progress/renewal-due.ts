import type { Clocked } from '../../../lib/client/time/countdown.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { isLibraryOwner } from '../../../lib/contract/leases/lease-state.ts'
import { latestRenewalMs } from '../../../lib/contract/leases/library-times.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'

/**
 * When the planned holder's next renewal is expected at the latest, on the monotonic clock; past: it is late. null: not known, because
 * no renewal was seen and the holder does not have the library's shape.
 * @param planned the lease as it was planned for
 * @param seen the same holder as it was read last; null: not read
 */
export function renewalDueAtMs(planned: Clocked, seen: Clocked | null): number | null {
  const { lease, clock, renewed } = seen ?? planned
  const wasRenewed = renewed || planned.renewed || lease.version !== planned.lease.version
  if (!wasRenewed && !isLibraryOwner(lease.owner)) return null
  if (lease.ttlSeconds === null || clock.writtenAtMs === null) return null
  return clock.writtenAtMs + latestRenewalMs(lease.ttlSeconds)
}

/** When the act of a release was permitted, and so not sent before: the second person's approval may come minutes after the request. ISO 8601. */
export const permittedAt = ({ approval, requestedAt, plannedAt }: Release): string =>
  approval?.at ?? requestedAt ?? plannedAt

/**
 * When a request to resign was surely written: by Cassandra's answer, or by the read that found it. Only a renewal after that shows a
 * holder that could read it. ISO 8601.
 */
export function writtenBy({ steps, now }: Release): string {
  const last = steps.at(-1)
  // Of a lost answer whose read left no step it is known that it is written now.
  return last?.ok ? last.at : now
}

/**
 * Until when a holder that renews reads a request that was written by `askedAtMs`, in epoch milliseconds: at its next renewal.
 * null: the lease says nothing of its rhythm.
 * @param lease as it was read nearest to the request
 */
export function answerDueMs(lease: Lease, askedAtMs: number): number | null {
  if (lease.ttlSeconds === null || lease.writtenAt === null) return null
  const renewsAfterMs = latestRenewalMs(lease.ttlSeconds)
  const dueMs = Date.parse(lease.writtenAt) + renewsAfterMs
  // It was due before it was asked: it comes late, if at all, and one more interval tells.
  return dueMs > askedAtMs ? dueMs : askedAtMs + renewsAfterMs
}
