/** For how long the old holder of a kill may go on: a pure function of the rows that were read. */
import { latestTenureMs, type PaxosVariant } from 'leasehold/time'
import type { Lease } from '../../../contract/leases/lease.ts'
import type { ReleaseOutcome } from '../../../contract/releases/release.ts'

/**
 * The longest time, from a kill, for which the holder of this row may go on: its whole TTL, and for how long the write that
 * was read may have contended. null: for ever.
 */
export const killOverlapMs = (
  { ttlSeconds, expiresAt }: Pick<Lease, 'ttlSeconds' | 'expiresAt'>,
  paxosVariant: PaxosVariant,
): number | null =>
  ttlSeconds === null || expiresAt === null ? null : latestTenureMs(ttlSeconds, paxosVariant)

/** Between the plan and the act the holder may have renewed for another TTL: it keeps to one of the two. */
export const longerOverlapMs = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other)

/** Outcomes of a kill that deleted nothing, and never will: the old holder goes on, or ended otherwise. */
const deletesNothing: ReadonlySet<ReleaseOutcome> = new Set([
  'awaiting-approval',
  'rejected',
  'lapsed',
  'not-sent',
  'not-released',
  'holder-changed',
])

export const mayHaveDeleted = (outcome: ReleaseOutcome): boolean => !deletesNothing.has(outcome)
