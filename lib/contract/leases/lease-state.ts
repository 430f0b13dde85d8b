import { reservedOwnerMark } from '../text-size.ts'
import type { Lease, LeaseStateName } from './lease.ts'

/**
 * Below this share of its TTL a lease whose holder renews is at risk: it renews at two thirds, so that one renewal was
 * missed.
 */
export const riskShare = 1 / 3

/** A lease that changed hands so often within this time is flapping: no holder keeps it. */
export const flapping = { handOvers: 3, withinMs: 5 * 60_000 } as const

/** `host:pid:random:n`, an owner that the library makes for one acquisition. Its keep-alive renews what it holds. */
const libraryOwner = /^[^:]+:\d+:[0-9a-f]{12}:[0-9a-z]+$/

/** Whether the holder renews in the library's rhythm, as far as its owner id shows. */
export const isLibraryOwner = (owner: string | null): boolean => owner !== null && libraryOwner.test(owner)

type Facts = Pick<Lease, 'owner' | 'remainingMs' | 'valueRemainingMs' | 'ttlSeconds'> & {
  /** false for a table mapped without an owner column: a row is held by its existence. */
  hasOwner?: boolean
  /** A renewal of this tenure was seen. One read cannot show that; a page that watches can. */
  renewed?: boolean
  /** It changed hands too often lately: see `flapping`. One read cannot show that; a process that watches can. */
  flapping?: boolean
}

/**
 * The state of a lease from the facts of one read. Pure, so that the server and a page that counts down agree.
 * `remainingMs` is what is left now, not what was left at the read. Without a rhythm no renewal can be missing: such a
 * lease is held until its end.
 */
export function leaseState(facts: Facts): LeaseStateName {
  if (facts.hasOwner === false) return 'held'
  if (facts.owner === null) return 'zombie'
  if (facts.owner.startsWith(reservedOwnerMark)) return 'quarantined'
  if (facts.remainingMs === null || facts.ttlSeconds === null) return 'eternal'
  // Cells written by one statement share their expiry, so that a value which goes earlier was written earlier.
  if (facts.valueRemainingMs !== null && facts.valueRemainingMs < facts.remainingMs) return 'partial'
  const hasRhythm = facts.renewed === true || isLibraryOwner(facts.owner)
  if (hasRhythm && facts.remainingMs < facts.ttlSeconds * 1000 * riskShare) return 'risk'
  return facts.flapping === true ? 'flapping' : 'held'
}
