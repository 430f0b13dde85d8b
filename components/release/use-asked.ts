'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { leaseQuery } from '../../lib/client/queries.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { tableParam } from '../leases/lease-link.ts'
import { type AskStage, askStage } from './ask-stage.ts'
import { answerDueMs } from './renewal-due.ts'
import { usePast } from './use-past.ts'

/** How long after its due time an answer may still be under way. */
const graceMs = 2_000

/** What the holder makes of a request to resign, watched in the lease itself. */
export function useAsked(release: Release): { stage: AskStage; dueMs: number | null } {
  const { planned, current } = release
  const reading = useQuery(leaseQuery(planned.name, tableParam(planned.table))).data
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
  return { stage: askStage(facts), dueMs }
}
