'use client'

import { useEffect, useState } from 'react'
import type { LeaseReading } from '../../lib/client/queries.ts'
import { isLibraryOwner } from '../../lib/contract/leases/lease-state.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { type AskStage, askStage } from './ask-stage.ts'
import { answerDueMs } from './renewal-due.ts'
import { usePast } from './use-past.ts'

/** How long after its due time an answer may still be under way. */
const graceMs = 2_000

/** What the holder makes of a request to resign. `dueMs`: null where no rhythm of renewals is known. */
export function useAsked(
  release: Release,
  reading: LeaseReading | undefined,
): { stage: AskStage; dueMs: number | null } {
  const { planned, current } = release
  const asked = current?.owner === planned.owner ? current : planned
  const askedAt = release.requestedAt ?? release.plannedAt
  const dueMs = answerDueMs(asked, Date.parse(askedAt))
  const overdue = usePast(dueMs === null ? null : dueMs + graceMs)

  const [lastExpiresAt, setLastExpiresAt] = useState(asked.expiresAt)
  const seen = reading?.held && reading.sighting.lease.owner === planned.owner ? reading.sighting.lease : null
  const seenExpiresAt = seen?.expiresAt ?? null
  useEffect(() => {
    if (seenExpiresAt !== null) setLastExpiresAt(seenExpiresAt)
  }, [seenExpiresAt])
  const [firstGoneAt, setFirstGoneAt] = useState<string | null>(null)
  const goneAt = reading !== undefined && !reading.held ? (reading.now ?? null) : null
  useEffect(() => {
    if (goneAt !== null && goneAt >= askedAt) setFirstGoneAt((before) => before ?? goneAt)
  }, [goneAt, askedAt])
  const facts = { owner: planned.owner, askedAt, reading, lastExpiresAt, firstGoneAt, overdue }
  const renews =
    release.renewedSincePlan ||
    isLibraryOwner(planned.owner) ||
    (seen !== null && seen.version !== planned.version)
  return { stage: askStage(facts), dueMs: renews ? dueMs : null }
}
