/**
 * What a holder that follows the protocol does, seen from the row. Leasehold's own holders renew after a third of
 * their window, and stop by themselves `ttl - 1 s - maxClockSkew` after their last write was sent. Other clients may
 * do as they like: this is for showing, never for deciding.
 */

import type { Clocked } from '../../../lib/client/time/countdown.ts'
import { isLibraryOwner, riskShare } from '../../../lib/contract/leases/lease-state.ts'
import { assumedClockSkewMs, usualRenewalMs } from '../../../lib/contract/leases/library-times.ts'

/** Milliseconds before the row's end, for each moment. */
interface Rhythm {
  /** null: the holder is not known to be the library's. */
  renewsMs: number | null
  /** null: no rhythm was seen. */
  riskMs: number | null
  /** null: the holder is not known to be the library's, or the row does not say when it was written. */
  stopsMs: number | null
  ttlMs: number
}

/** null: the row has no expiry. */
export function rhythmOf({ lease, clock, renewed }: Clocked): Rhythm | null {
  if (lease.ttlSeconds === null || clock.endsAtMs === null || lease.owner === null) return null
  const ttlMs = lease.ttlSeconds * 1000
  if (!isLibraryOwner(lease.owner))
    return { renewsMs: null, riskMs: renewed ? ttlMs * riskShare : null, stopsMs: null, ttlMs }
  const lifeMs = clock.writtenAtMs === null ? null : clock.endsAtMs - clock.writtenAtMs
  const stopsMs = lifeMs === null ? null : lifeMs - (ttlMs - 1000 - assumedClockSkewMs)
  return {
    renewsMs: (lifeMs ?? ttlMs) - usualRenewalMs(lease.ttlSeconds),
    riskMs: ttlMs * riskShare,
    stopsMs: stopsMs !== null && stopsMs >= 0 && stopsMs < ttlMs * riskShare ? stopsMs : null,
    ttlMs,
  }
}
