/**
 * How long a holder may go on after its row was deleted. A pure function, no clock.
 *
 * Guarantees: a holder that renewed just before the delete has passed its deadline by then.
 * Assumes: the holder keeps to its deadline and renews with the TTL that was read; `lease-time.ts`'s assumptions on clocks.
 *
 * The TTL as read is `expiry − ⌊writetime⌋`. A cell expires counted from the start of its statement, and its writetime is of
 * the end: the TTL as read is too short by the time for which the write contended, by the skew of two coordinators, and by a
 * second of rounding. The holder stops a second and the skew before its TTL is over, so that only the contention is left.
 */
import { contentionLimitMs, type PaxosVariant } from './paxos.ts'

/** @param ttlSeconds the holder's full TTL as read, in whole seconds @returns milliseconds from the delete */
export const latestTenureMs = (ttlSeconds: number, paxosVariant: PaxosVariant): number =>
  ttlSeconds * 1000 + contentionLimitMs[paxosVariant]
