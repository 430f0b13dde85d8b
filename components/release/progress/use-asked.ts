'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LeaseReading, leaseReleasesQuery } from '../../../lib/client/call/queries.ts'
import { renewals } from '../../../lib/client/row/renewals.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import { isLibraryOwner } from '../../../lib/contract/leases/lease-state.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { askStage, forceRead, isAgain } from './ask-stage.ts'
import { firstGone } from './first-gone.ts'
import type { Progress } from './progress.ts'
import { answerDueMs, permittedAt, writtenBy } from './renewal-due.ts'

/** How long after its due time an answer may still be under way. */
const graceMs = 2_000

/** When a read was answered, by the server's clock. */
const shownAt = (reading: LeaseReading): string | null =>
  reading.held ? reading.sighting.lease.read.at : (reading.now ?? null)

const lastOf = ({ expiresAt, ttlSeconds }: Lease) => ({ expiresAt, ttlSeconds })

/** The row of the tenure that was asked, if a read shows it. */
function tenureOf(
  owner: string | null,
  reading: LeaseReading | undefined,
  firstGoneAt: string | null,
): Lease | null {
  if (!reading?.held) return null
  const { lease } = reading.sighting
  return lease.owner === owner && !isAgain(lease, firstGoneAt) ? lease : null
}

/** What the holder makes of a request to resign. `dueMs`: null where no rhythm of renewals is known. */
export function useAsked(
  release: Release,
  reading: LeaseReading | undefined,
  hasFailed: boolean,
): Omit<Progress & { of: 'asked' }, 'of' | 'isStale'> {
  const { id, planned, current } = release
  const asked = current?.owner === planned.owner ? current : planned
  // What may have come of it counts from before it was sent; what the holder could have done about it, from when it was surely written.
  const askedAt = permittedAt(release)
  const readableAt = writtenBy(release)
  const dueMs = answerDueMs(asked, Date.parse(readableAt))

  const [firstGoneAt, setFirstGoneAt] = useState<string | null>(null)
  const [last, setLast] = useState({ ...lastOf(asked), seenAt: null as string | null })
  const seen = tenureOf(planned.owner, reading, firstGoneAt)
  useEffect(() => {
    if (seen !== null) setLast({ ...lastOf(seen), seenAt: seen.read.at })
  }, [seen])
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
    hasFailed,
    last,
    firstGoneAt,
    force: forceRead(taken, { owner: planned.owner, askedAt, firstGoneAt }, firstGoneAt ?? goneAt),
    overdueAtMs: dueMs === null ? null : dueMs + graceMs,
  })
  const renews =
    release.renewedSincePlan ||
    isLibraryOwner(planned.owner) ||
    (seen !== null && seen.version !== planned.version) ||
    renewals.has(seen ?? asked)
  const renewedAt = seen?.writtenAt != null && seen.writtenAt > readableAt ? seen.writtenAt : null
  return { stage, dueMs: renews ? dueMs : null, renewedAt }
}
