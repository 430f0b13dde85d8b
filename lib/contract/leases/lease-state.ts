import { reservedOwnerMark } from '../text-size.ts'
import type { Lease, LeaseStateName } from './lease.ts'

/** Below this share of its TTL a held lease is at risk: its holder renews at two thirds, so that one renewal was missed. */
export const riskShare = 1 / 3

type Facts = Pick<Lease, 'owner' | 'remainingMs' | 'valueRemainingMs' | 'ttlSeconds'> & {
  /** false for a table mapped without an owner column: a row is held by its existence. */
  hasOwner?: boolean
}

/**
 * The state of a lease from the facts of one read. Pure, so that the server and a page that counts down agree.
 * `remainingMs` is what is left now, not what was left at the read.
 */
export function leaseState(facts: Facts): LeaseStateName {
  if (facts.hasOwner === false) return 'held'
  if (facts.owner === null) return 'zombie'
  if (facts.owner.startsWith(reservedOwnerMark)) return 'quarantined'
  if (facts.remainingMs === null || facts.ttlSeconds === null) return 'eternal'
  // Cells written by one statement share their expiry, so that a value which goes earlier was written earlier.
  if (facts.valueRemainingMs !== null && facts.valueRemainingMs < facts.remainingMs) return 'partial'
  return facts.remainingMs < facts.ttlSeconds * 1000 * riskShare ? 'risk' : 'held'
}
