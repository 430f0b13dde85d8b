import { forcedSettleMs } from 'leasehold/operator'
import { doneAt } from '../../../contract/releases/done-at.ts'
import type { LeaseRelease } from '../../../contract/releases/lease-release.ts'
import type { Release } from '../../../contract/releases/release.ts'
import { actAfterPermitMs } from '../../http/act-window.ts'
import { iso } from '../../http/instant.ts'
import { killOverlapMs, longerOverlapMs, mayHaveDeleted } from './kill-overlap.ts'

/** A forced release in short. undefined: it is only planned. */
export function leaseReleaseOf(release: Release): LeaseRelease | undefined {
  const { id, mode, outcome, planned, plannedBy, approval, reason, requestedAt } = release
  if (mode === null || requestedAt === null || outcome === 'planned') return undefined
  return {
    id,
    mode,
    outcome,
    owner: planned.owner,
    by: plannedBy,
    approvedBy: approval?.by ?? null,
    reason,
    requestedAt,
    doneAt: doneAt(release),
    safeAt: safeAt(release, requestedAt),
  }
}

const daySeconds = 86_400
/** No row of a release lives longer. */
const releaseSeconds = 30 * daySeconds

/**
 * How long a lease remembers a release: a day, and a kill for as long as the old holder may go on after it (`overlapMs`; null: for
 * ever). Between the request and the delete lies less than the day that is added.
 */
export function rememberedSeconds(mode: LeaseRelease['mode'], overlapMs: number | null): number {
  if (mode !== 'kill') return daySeconds
  if (overlapMs === null) return releaseSeconds
  return Math.min(releaseSeconds, daySeconds + Math.ceil(overlapMs / 1_000))
}

/** Newest releases of a lease, of the last day, that its page shows, whatever came of them. */
const newestShown = 5

/** Of the releases of one lease, newest first, those that its page shows: later requests cannot hide a warning. */
export const shownReleases = (releases: readonly LeaseRelease[], nowMs: number): LeaseRelease[] =>
  releases.filter(
    (release, index) =>
      isUnsettled(release, nowMs) ||
      (index < newestShown && nowMs - Date.parse(release.requestedAt) < daySeconds * 1_000),
  )

/** It may yet take effect, or the holder of before may still act. */
function isUnsettled({ mode, outcome, safeAt }: LeaseRelease, nowMs: number): boolean {
  if (outcome === 'pending' || outcome === 'unknown' || outcome === 'awaiting-approval') return true
  return mode === 'kill' && mayHaveDeleted(outcome) && (safeAt === null || Date.parse(safeAt) > nowMs)
}

/**
 * Until when the old holder may act: of a kill, for its whole TTL after the delete, because it may have renewed just before;
 * for the longer one of the TTLs that the plan and the act read.
 * When the outcome is certain, the delete came before the last step: the answer, or the read that showed that it is.
 */
function safeAt(release: Release, requestedAt: string): string | null {
  const { mode, planned, safeAt, steps } = release
  if (mode !== 'kill') return safeAt
  if (!mayHaveDeleted(release.outcome)) return null
  // The overlap of the report covers the row of the plan already, with the margin of the cluster's variant, or with that of v1 where no
  // act has reported. The plan is a floor below it, which can shorten nothing: so the smaller margin, of v2, is right.
  const overlapMs = longerOverlapMs(killOverlapMs(planned, 'v2'), release.overlapMs)
  if (overlapMs === null) return null
  const lastAt = steps.at(-1)?.at ?? requestedAt
  const isOpen = release.outcome === 'pending' || release.outcome === 'unknown'
  const goneAtMs = isOpen ? appliedByMs(release, requestedAt) : Date.parse(lastAt)
  return iso(goneAtMs + overlapMs)
}

/**
 * When the delete has taken effect at the latest, by the wall clock; where this instance knows no send, after the latest one. For
 * clocks of instances that differ there are 5 s in `forcedSettleMs`.
 */
function appliedByMs({ finalBy, approval }: Release, requestedAt: string): number {
  if (finalBy !== null) return Date.parse(finalBy)
  return Date.parse(approval?.at ?? requestedAt) + actAfterPermitMs + forcedSettleMs
}
