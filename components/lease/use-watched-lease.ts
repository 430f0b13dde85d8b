'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ApiError } from '../../lib/client/call/api-error.ts'
import { type LeaseReading, leaseDetailQuery } from '../../lib/client/call/queries.ts'
import { nameView } from '../../lib/client/view/lease-view.ts'
import type { LiveList, Shown } from '../../lib/client/watch/live-list.ts'
import { following, type OneLease, unknownLease } from '../../lib/client/watch/one-lease.ts'
import { pageList } from '../../lib/client/watch/shared-watch.ts'
import { type FirstLeases, useLiveLeases } from '../leases/state/use-live-leases.ts'

const one = { offset: 0, limit: 1 }

interface WatchedLease extends OneLease, Pick<Shown, 'silence' | 'unanswered' | 'isFinal' | 'paused'> {
  list: LiveList
  /** The last read of the lease alone; undefined: none has ended. */
  reading: LeaseReading | undefined
  /** Why the lease cannot be read; null: it can, or nothing is known yet. */
  error: ApiError | null
  /** Reads the lease alone. */
  readAgain: () => void
  isReading: boolean
}

/**
 * One lease, live by a stream of its own, as a list is. Cassandra's answer in full is read at the beginning, and when a
 * person asks for it or acts.
 */
export function useWatchedLease(name: string, table: string | undefined, lost: boolean): WatchedLease {
  const view = useMemo(() => nameView(table, name), [table, name])
  const [first] = useState((): FirstLeases | null => {
    // Until the first answer, what the list has seen of it is shown, with its age.
    const seen = pageList.seenBefore(name, table ?? 'leases')
    return seen === undefined ? null : { leases: [seen.lease], now: seen.lease.read.at, atMs: seen.atMs }
  })
  const { list, shown } = useLiveLeases(view, one, lost, first)
  useEffect(() => pageList.show(list, view), [list, view])

  const query = useQuery(leaseDetailQuery(name, table))
  const reading = query.data
  useLayoutEffect(() => {
    // The stream says the same a moment later, and goes on from there.
    if (reading?.held !== true || list.shown().counts !== null) return
    const { lease, now, arrivedAtMs } = reading.sighting
    list.begin(view, { leases: [lease], now }, arrivedAtMs)
  }, [list, view, reading])

  const [followed, setFollowed] = useState(unknownLease)
  const now = following(followed, { row: shown.rows[0], free: shown.free, reading })
  if (now !== followed) setFollowed(now)

  const isRead = now.row !== null || now.free !== null
  return {
    ...now,
    list,
    silence: shown.silence,
    unanswered: shown.unanswered,
    isFinal: shown.isFinal,
    paused: shown.paused,
    reading,
    error: shown.error ?? (query.isError && !isRead ? (query.error as ApiError) : null),
    readAgain: () => query.refetch(),
    isReading: query.isFetching,
  }
}
