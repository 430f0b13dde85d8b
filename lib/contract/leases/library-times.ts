/**
 * Times of the library that pages say, and that the browser does not load with it. For showing, never for deciding; a test holds them
 * against the library's.
 */

/** `contentionLimitMs.v1`: for how long a write contends at most. A TTL that is read looks shorter by so much. Paxos v2 takes less. */
export const longestContentionMs = 6_000

/** The default of `maxClockSkewMs`; a holder may have been given another. */
export const assumedClockSkewMs = 500

/** Each wait for a renewal is longer or shorter by so much at most, so that leases do not march in step. */
const jitter = 0.1

/**
 * From a write to the next renewal, usually, in milliseconds: a third of the holder's window, which is its TTL less a second for whole-second
 * expiry and less the clock skew.
 */
export function usualRenewalMs(ttlSeconds: number): number {
  const windowMs = (ttlSeconds - 1) * 1000 - assumedClockSkewMs
  return (windowMs > 0 ? windowMs : ttlSeconds * 1000) / 3
}

/** From a write to the next renewal at the latest, in milliseconds: one that comes later than this is late. */
export const latestRenewalMs = (ttlSeconds: number): number => usualRenewalMs(ttlSeconds) * (1 + jitter)
