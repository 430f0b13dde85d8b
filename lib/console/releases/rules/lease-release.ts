import type { LeaseRelease } from '../../../contract/releases/lease-release.ts'
import type { Release } from '../../../contract/releases/release.ts'
import { iso } from '../../http/instant.ts'
import { killOverlapMs } from './offers.ts'

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
    safeAt: safeAt(release, requestedAt),
  }
}

/** A kill whose outcome is not known may have taken effect as late as its last step. */
function safeAt({ mode, planned, safeAt, steps }: Release, requestedAt: string): string | null {
  if (mode !== 'kill') return safeAt
  const overlapMs = killOverlapMs(planned)
  const lastAt = steps.at(-1)?.at ?? requestedAt
  return overlapMs === null ? null : iso(Date.parse(lastAt) + overlapMs)
}
