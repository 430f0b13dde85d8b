/**
 * How long a broken lease is kept from everybody. A pure function, no clock.
 *
 * Guarantees: a mark that is written with this TTL in place of an owner is shown until that owner's deadline is past,
 * for every renewal of it that came before the mark, those included which came after the lease was read.
 * Assumes: that the holder keeps to its deadline, and to its TTL; any two coordinators' clocks stay within maxClockSkew,
 * and no ballot of the row is ahead of them; its last renewal and the mark contend for no longer than is said below.
 *
 * Where the seconds go. One to whole-second expiry. The rest to writes that contend: a cell's time runs from the start
 * of its statement and its ballot is of the end, so that the TTL as read is short by what the last renewal contended;
 * and a renewal may be applied while the mark contends with it. Both together may take 3 s under Paxos v2, 6 s under v1.
 * Twice maxClockSkew: the ballot, and the coordinator that shows the mark, may be ahead.
 */
import { maxTtlSeconds } from './lease-time.ts'
import type { PaxosVariant } from './paxos.ts'

const marginSeconds: Record<PaxosVariant, number> = { v1: 7, v2: 4 }

/**
 * The TTL of the mark, in whole seconds.
 * @param ttlSeconds the holder's full TTL, as read: not what is left of it, because a renewal may slip in after the read
 */
export const quarantineSeconds = (
  ttlSeconds: number,
  maxClockSkewMs: number,
  paxosVariant: PaxosVariant,
): number =>
  Math.min(maxTtlSeconds, Math.ceil(ttlSeconds + marginSeconds[paxosVariant] + (2 * maxClockSkewMs) / 1000))
