'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LeaseReading, leaseReleasesQuery } from '../../../lib/client/call/queries.ts'
import { renewals } from '../../../lib/client/row/renewals.ts'
import { isLibraryOwner } from '../../../lib/contract/leases/lease-state.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { askStage, forceOn } from './ask-stage.ts'
import { firstGone } from './first-gone.ts'
import type { Progress } from './progress.ts'
import { answerDueMs } from './renewal-due.ts'
import { usePast } from './use-past.ts'

/** How long after its due time an answer may still be under way. */
const graceMs = 2_000

/** When a read was answered, by the server's clock. */
const shownAt = (reading: LeaseReading): string | null =>
  reading.held ? reading.sighting.lease.read.at : (reading.now ?? null)

/** What the holder makes of a request to resign. `dueMs`: null where no rhythm of renewals is known. */
export function useAsked(
  release: Release,
  reading: LeaseReading | undefined,
): Omit<Progress & { of: 'asked' }, 'of'> {
  const { id, planned, current } = release
  const asked = current?.owner === planned.owner ? current : planned
  const askedAt = release.requestedAt ?? release.plannedAt
  const dueMs = answerDueMs(asked, Date.parse(askedAt))
  const overdue = usePast(dueMs === null ? null : dueMs + graceMs)

  const [last, setLast] = useState({ expiresAt: asked.expiresAt, seenAt: null as string | null })
  const seen = reading?.held && reading.sighting.lease.owner === planned.owner ? reading.sighting.lease : null
  const seenExpiresAt = seen?.expiresAt ?? null
  const seenAt = seen?.read.at ?? null
  useEffect(() => {
    if (seenAt !== null) setLast((before) => ({ expiresAt: seenExpiresAt ?? before.expiresAt, seenAt }))
  }, [seenAt, seenExpiresAt])
  const [firstGoneAt, setFirstGoneAt] = useState<string | null>(null)
  const goneAt = reading === undefined || seen !== null ? null : shownAt(reading)
  useEffect(() => {
    if (goneAt !== null && goneAt >= askedAt) setFirstGoneAt((before) => before ?? firstGone(id, goneAt))
  }, [id, goneAt, askedAt])
  // A kill frees the row before its expiry as well.
  const taken = useQuery({
    ...leaseReleasesQuery(planned.name, tableParam(planned.table), null),
    enabled: goneAt !== null && goneAt >= askedAt,
  })
  const stage = askStage({
    owner: planned.owner,
    askedAt,
    reading,
    lastExpiresAt: last.expiresAt,
    lastSeenAt: last.seenAt,
    firstGoneAt,
    force:
      taken.data && taken.isFetchedAfterMount
        ? forceOn(planned.owner, taken.data.releases)
        : taken.isError
          ? 'unclear'
          : undefined,
    overdue,
  })
  const renews =
    release.renewedSincePlan ||
    isLibraryOwner(planned.owner) ||
    (seen !== null && seen.version !== planned.version) ||
    renewals.has(seen ?? asked)
  const renewedAt = seen?.writtenAt != null && seen.writtenAt > askedAt ? seen.writtenAt : null
  return { stage, dueMs: renews ? dueMs : null, renewedAt }
}
