/**
 * The arithmetic of a lease's time. Pure functions, no clock.
 *
 * Guarantees: a holder that keeps to its deadline has stopped before any coordinator shows the row as gone.
 * Does not guarantee: that a holder keeps to its deadline (a thread may pause in the middle of a write). Fencing tokens
 * guard against that.
 * Assumes: two errors together stay below maxClockSkew: the largest difference between any two coordinators' clocks, steps
 * included, and the drift of the holder's clock, which is how much less time it counts during one TTL than a coordinator's.
 * Tuned by: the TTL (longer: fewer renewals, slower takeover) and maxClockSkew (larger: safer, shorter tenure).
 *
 * Cassandra stores `ldt = floor(coordinator's clock at the statement's start, in seconds) + ttl`, and a cell is
 * visible while `floor(coordinator's clock) < ldt`. A TTL of T seconds therefore lasts between T - 1 and T seconds,
 * and the familiar writetime + TTL is up to a second late.
 */
import { elapsedMs, type Moment } from './clock.ts'
import { contentionLimitMs, type PaxosVariant } from './paxos.ts'

/** The default bound on the two errors together, in milliseconds. */
export const defaultMaxClockSkewMs = 500

/** The shortest TTL of a lease that its caller renews by hand, in seconds. */
export const minTtlSeconds = 2

/**
 * A year, in seconds. Cassandra allows 20 years, but refuses a TTL that ends after January 2038 unless all its nodes
 * write the format of 5.0.
 */
export const maxTtlSeconds = 31_536_000

/**
 * The whole second, since the epoch, at which Cassandra stops showing a cell.
 *
 * Cassandra evaluates `now()` after it has fixed the statement's second, so that the result is one too high across the edge
 * of a second, and some seconds after a slow quorum; it is never too low. Keep the smallest result for the same write (`ExpiryMemory`).
 * @param serverNowMs `toUnixTimestamp(now())` of the same SELECT, in milliseconds
 * @param ttlSeconds `ttl(column)` of the same SELECT
 */
export const expirySeconds = (serverNowMs: number, ttlSeconds: number): number =>
  Math.floor(serverNowMs / 1000) + ttlSeconds

/** The TTL a cell was written with, in seconds, from its expiry and its writetime in microseconds. */
export const writtenTtlSeconds = (expirySeconds: number, writetimeMicros: bigint): number =>
  expirySeconds - Number(writetimeMicros / 1_000_000n)

/**
 * How long a holder may rely on a lease, in milliseconds from *before* the first request for it was sent.
 * One second is lost to whole-second expiry, the rest to clocks that differ.
 */
export const tenureMs = (ttlSeconds: number, maxClockSkewMs: number): number =>
  (ttlSeconds - 1) * 1000 - maxClockSkewMs

/**
 * The moment, by the holder's own clocks, when the holder must consider its lease lost. What must come before it, a renewal,
 * is due by the same clocks.
 */
export interface Deadline {
  readonly from: Moment
  readonly afterMs: number
}

export const deadlineOf = (sent: Moment, ttlSeconds: number, maxClockSkewMs: number): Deadline => ({
  from: sent,
  afterMs: tenureMs(ttlSeconds, maxClockSkewMs),
})

/** Milliseconds until the deadline; zero or less: the lease is lost, whatever answer comes later. */
export const untilDeadlineMs = (deadline: Deadline, now: Moment): number =>
  deadline.afterMs - elapsedMs(deadline.from, now)

/** The shortest TTL that leaves time for a second renewal after one that failed, in seconds. */
export const leastKeptTtlSeconds = 6

/**
 * The shortest TTL that can be kept alive, in seconds. After a renewal whose answer was lost, the deadline of the next
 * one may count from the contention limit before it was sent (`lease/open-tries.ts`); half of that limit must then be
 * left to renew again.
 */
export const minKeptTtlSeconds = (maxClockSkewMs: number, paxosVariant: PaxosVariant): number =>
  Math.max(
    leastKeptTtlSeconds,
    Math.ceil((1_000 + maxClockSkewMs + 1.5 * contentionLimitMs[paxosVariant]) / 1_000),
  )

/** Why a TTL does not fit the bound on clock skew, as a sentence with the numbers; undefined: it fits. */
export function incoherentTiming(ttlSeconds: number, maxClockSkewMs: number): string | undefined {
  if (!Number.isFinite(maxClockSkewMs) || maxClockSkewMs < 0)
    return `maxClockSkewMs is ${maxClockSkewMs}; 0 or more is expected.`
  if (!Number.isInteger(ttlSeconds))
    return `ttlSeconds is ${typeof ttlSeconds === 'number' ? ttlSeconds : JSON.stringify(ttlSeconds)}; a whole number of seconds is expected.`
  if (ttlSeconds < minTtlSeconds || ttlSeconds > maxTtlSeconds)
    return `ttlSeconds is ${ttlSeconds}; ${minTtlSeconds} to ${maxTtlSeconds} are allowed.`
  if (tenureMs(ttlSeconds, maxClockSkewMs) <= 0)
    return `A TTL of ${ttlSeconds} s leaves no time to hold the lease: 1 s goes to whole-second expiry and ${maxClockSkewMs} ms to clock skew.`
  return undefined
}
