/**
 * How long the quarantine of a broken lease lasts. A pure function, no clock.
 *
 * Guarantees: a mark written with this TTL in the owner's place is visible until that owner's deadline is past,
 * whatever renewals came before the mark, also between the operator's read and the mark.
 * Assumes: the holder keeps to its deadline and to its TTL; `lease-time.ts`'s assumptions on clocks, and that no ballot of
 * the row is ahead of them; the last renewal and the mark contend for `contentionLimitMs` each at most.
 *
 * The TTL of the mark is the holder's, and a margin:
 * - Twice the limit of contention, which is 4 s under Paxos v2 and 12 s under v1. A cell expires counted from the start of its
 *   statement, but its ballot is of the end: the TTL as read is too short by the time for which the last renewal contended. And
 *   while the mark contends with a renewal, Cassandra may apply the renewal first.
 * - Twice maxClockSkew: the ballot may be ahead, and so may the coordinator that shows the mark.
 * - Nothing for whole-second expiry: the holder's deadline is a second before its TTL already.
 *
 * A mark that is shorter would free the lease before the holder's deadline. So no mark is made of a lease whose TTL leaves no
 * room for the margin below Cassandra's own limit. Where a cluster keeps the format of 4.1, Cassandra refuses marks that end
 * after January 2038, too: its answer to the statement says so.
 */
import { contentionLimitMs, type PaxosVariant } from './paxos.ts'

/** Cassandra takes no longer TTL: 20 years, in seconds. Leases of other clients may have one of more than `maxTtlSeconds`. */
const longestTtlSeconds = 630_720_000

/**
 * The TTL of the mark, in whole seconds.
 * @param ttlSeconds the holder's full TTL, not the rest of it: the holder may renew after the operator's read
 * @returns null: Cassandra takes no TTL that is long enough
 */
export const quarantineSeconds = (
  ttlSeconds: number,
  maxClockSkewMs: number,
  paxosVariant: PaxosVariant,
): number | null => {
  const marginMs = 2 * contentionLimitMs[paxosVariant] + 2 * maxClockSkewMs
  const seconds = Math.ceil(ttlSeconds + marginMs / 1000)
  return seconds <= longestTtlSeconds ? seconds : null
}
