/** For how long the old holder of a kill may go on: a pure function of the rows that were read. */
import { latestTenureMs, type PaxosVariant } from 'leasehold/time'
import type { Lease } from '../../../contract/leases/lease.ts'
import type { ReleaseOutcome } from '../../../contract/releases/release.ts'

/**
 * The TTL of a row as its expiry and its writetime show it. The writetime of a row that is dated ahead makes it look shorter, so that what
 * is left counts where it is more. null: it has no expiry.
 */
export const fullTtlSeconds = ({
  ttlSeconds,
  expiresAt,
  remainingMs,
}: Pick<Lease, 'ttlSeconds' | 'expiresAt' | 'remainingMs'>): number | null =>
  ttlSeconds === null || expiresAt === null
    ? null
    : Math.max(ttlSeconds, Math.ceil((remainingMs ?? 0) / 1_000))

/**
 * The longest time, from a kill, for which the holder of this row may go on: its whole TTL, and for how long the write that
 * was read may have contended. null: for ever.
 */
export function killOverlapMs(
  lease: Pick<Lease, 'ttlSeconds' | 'expiresAt' | 'remainingMs'>,
  paxosVariant: PaxosVariant,
): number | null {
  const seconds = fullTtlSeconds(lease)
  return seconds === null ? null : latestTenureMs(seconds, paxosVariant)
}

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
