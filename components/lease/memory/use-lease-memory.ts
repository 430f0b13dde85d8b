'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { leaseReleasesQuery } from '../../../lib/client/call/queries.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import { stillActing, stillMatters } from './lease-memory.ts'

export interface LeaseMemory {
  /** The releases to show, newest first. */
  shown: readonly LeaseRelease[]
  /** There were releases before, which are not shown any more. */
  hasOlder: boolean
  /** Whether what was done up to the present holder, or to there being none, is known. */
  isKnown: boolean
  /** The kill whose old holder may still act. */
  acting: LeaseRelease | undefined
}

/**
 * Whether the answer is of the time since the holder of the query's key came. A key that returns within a minute has its old answer in the
 * cache, which is no placeholder; a first read that fails counts as a fetch.
 */
export const isReadForHolder = ({
  isFetchedAfterMount,
  isPlaceholderData,
  isError,
}: Pick<UseQueryResult, 'isFetchedAfterMount' | 'isPlaceholderData' | 'isError'>): boolean =>
  isFetchedAfterMount && !isPlaceholderData && !isError

/** What was done to a lease by force, and is pending. @param holder null: there is none; undefined: not known yet */
export function useLeaseMemory(
  name: string,
  table: string | undefined,
  holder: Lease | null | undefined,
): LeaseMemory {
  const enabled = holder !== undefined
  const owner = holder?.owner ?? null
  const answer = useQuery({
    ...leaseReleasesQuery(name, table, owner),
    enabled,
  })
  const { data } = answer
  if (data === undefined || holder === undefined)
    return { shown: [], hasOlder: false, isKnown: false, acting: undefined }
  const nowMs = Date.parse(data.now)
  const shown = data.releases.filter((release) => stillMatters(release, owner, nowMs))
  return {
    shown,
    hasOlder: shown.length < data.releases.length,
    isKnown: isReadForHolder(answer),
    acting: stillActing(data.releases, holder, nowMs),
  }
}
