'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { keys } from '../../../lib/client/call/queries.ts'
import { pageClock, pageNow } from '../../../lib/client/time/page-clock.ts'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { useLost } from '../../shell/truth/use-connection.ts'

export interface HeldPlan {
  plan: ReleasePlan
  arrivedAtMs: number
  /** When the page had the answer: what it asks from then on is read after the plan. */
  receivedAtMs: number
  /** When the plan is too old, on the monotonic clock. */
  expiresAtMs: number
}

/**
 * `static`: when Cassandra answers again, every query of the page is fetched again. A plan that stands is not: the user
 * would find a button that acts where "Plan again" was a moment before.
 */
export const planQuery = (name: string, table: string | undefined) =>
  queryOptions({
    queryKey: keys.plan(name, table),
    queryFn: async ({ signal }): Promise<HeldPlan> => {
      const { data, arrivedAtMs } = await call('planRelease', { params: { name }, query: { table }, signal })
      return {
        plan: data,
        arrivedAtMs,
        receivedAtMs: pageNow(),
        expiresAtMs: arrivedAtMs + Date.parse(data.expiresAt) - Date.parse(data.now),
      }
    },
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/**
 * The plan that this dialog rests on. It is made once, and made again only when the person asks for it; only where the
 * first one could not be made at all is it tried again, once Cassandra answers.
 */
export function useReleasePlan(name: string, table: string | undefined) {
  const lost = useLost() !== null
  const query = useQuery(planQuery(name, table))
  const held = query.data
  const expired = useExpired(held?.expiresAtMs)

  // The plan before, kept to say loudly that the holder is another one.
  const before = useRef<ReleasePlan | null>(null)
  const [replaced, setReplaced] = useState<ReleasePlan | null>(null)
  useEffect(() => {
    if (held === undefined) return
    if (before.current !== null && before.current.id !== held.plan.id) setReplaced(before.current)
    before.current = held.plan
  }, [held])

  const { isError, refetch } = query
  const wasLost = useRef(lost)
  useEffect(() => {
    if (wasLost.current && !lost && isError && held === undefined) refetch()
    wasLost.current = lost
  }, [lost, isError, held, refetch])

  return {
    held,
    expired,
    error: query.isError ? query.error : null,
    planning: query.isFetching,
    /** The plan before this one, when its holder was another. */
    otherHolder:
      replaced !== null && held && replaced.lease.owner !== held.plan.lease.owner ? replaced : null,
    planAgain: refetch,
  }
}

function useExpired(expiresAtMs: number | undefined): boolean {
  const [expired, setExpired] = useState(false)
  // A timer stands still in a suspend.
  const resumedAtMs = useSyncExternalStore(pageClock.onSuspend, pageClock.resumedAtMs, pageClock.resumedAtMs)
  useEffect(() => {
    if (expiresAtMs === undefined) return
    const leftMs = expiresAtMs - pageNow()
    setExpired(leftMs <= 0)
    const timer = setTimeout(() => setExpired(true), Math.max(0, leftMs))
    return () => clearTimeout(timer)
  }, [expiresAtMs, resumedAtMs])
  return expired
}
