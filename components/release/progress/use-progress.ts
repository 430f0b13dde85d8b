'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasFailed, type LeaseReading, leaseQuery } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { quarantineOwner } from '../../../lib/contract/leases/quarantine.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { useLost } from '../../shell/truth/use-connection.ts'
import { afterRelease } from './after-release.ts'
import { breakStage } from './break-stage.ts'
import type { Progress } from './progress.ts'
import { useAsked } from './use-asked.ts'
import { usePast } from './use-past.ts'

/** What follows from a release, watched in the lease itself for as long as it is shown. */
export function useProgress(release: Release): Progress {
  const { planned, outcome } = release
  const isWatched = outcome === 'asked' || outcome === 'broken' || outcome === 'released'
  const read = useQuery({
    ...leaseQuery(planned.name, tableParam(planned.table)),
    enabled: isWatched,
  })
  const { data: reading, refetch } = read
  const isLost = useLost() !== null
  const isStale = reading !== undefined && (read.isError || isLost)
  const safeAtMs = release.safeAt === null ? null : Date.parse(release.safeAt)
  const past = usePast(safeAtMs)
  // At zero the lease is read at once, not at the next beat.
  useEffect(() => {
    if (past && outcome === 'broken') refetch()
  }, [past, outcome, refetch])
  const asked = useAsked(release, reading, hasFailed(read))
  const [acquired, setAcquired] = useState<Lease | null>(null)
  const stage = breakStage(brokenFacts(release, reading, past, acquired))
  const taken = outcome === 'broken' && stage.at === 'taken' ? stage.lease : null
  useEffect(() => {
    if (taken !== null) setAcquired((before) => before ?? taken)
  }, [taken])
  switch (outcome) {
    case 'asked':
      return { of: 'asked', ...asked, isStale }
    case 'broken':
      return { of: 'broken', stage, safeAtMs, isStale }
    case 'released':
      return { of: 'released', ...afterRelease(release, reading), isStale }
    default:
      return { of: 'none' }
  }
}

const brokenFacts = (
  release: Release,
  reading: LeaseReading | undefined,
  past: boolean,
  acquired: Lease | null,
) => ({
  mark: quarantineOwner(release.id),
  safeAt: release.safeAt,
  past,
  brokenAt: release.steps.findLast(({ ok }) => ok)?.at ?? release.requestedAt ?? release.now,
  reading,
  acquired,
})
