'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Answer } from '../../lib/client/call.ts'
import { call } from '../../lib/client/call.ts'
import type { Sighting } from '../../lib/client/countdown.ts'
import { keys, type PageOfLeases, pageQuery, readLease } from '../../lib/client/queries.ts'
import { renewals } from '../../lib/client/renewals.ts'
import { type Row, withPage } from '../../lib/client/row-board.ts'
import { type RowReading, RowWatch } from '../../lib/client/row-watch.ts'
import type { Lease, LeaseList } from '../../lib/contract/leases/lease.ts'
import { isAddressable } from '../../lib/contract/path.ts'
import { useHydrating } from '../ui/use-hydrating.ts'
import { tableParam } from './lease-link.ts'

const sightings = ({ data, arrivedAtMs }: Answer<'listLeases'>): Sighting[] =>
  data.leases.map((lease) => ({ lease, now: data.now, arrivedAtMs }))

/** One SERIAL read of one row; what it says is known to the lease's own page too. */
async function readRow(client: QueryClient, { name, table }: Lease): Promise<RowReading<Lease>> {
  if (isAddressable(name)) {
    const reading = await readLease(name, tableParam(table))
    client.setQueryData(keys.lease(name, tableParam(table)), reading)
    return reading
  }
  // `.` and `..` have no path: the only way to read one is a page of the list, whose rows are confirmed as well.
  const { data, arrivedAtMs } = await call('listLeases', {
    query: { prefix: name, table: tableParam(table), limit: 200 },
  })
  const lease = data.leases.find((found) => found.name === name)
  if (lease) return { held: true, sighting: { lease, now: data.now, arrivedAtMs } }
  if (data.nextCursor !== null) throw new Error('The row may stand on a later page.')
  return { held: false, readAtMs: arrivedAtMs }
}

const none: readonly Row[] = []
/** What the HTML has is as fresh as an answer: it is asked for again when the rhythm of the list says so. */
const firstStaysMs = 2000

/** What a page begins with. The rows in HTML count from 0, on the server as in the browser that takes them over. */
function beginning(id: string, first: LeaseList | null, hydrating: boolean) {
  if (first === null) return null
  const answer: Answer<'listLeases'> = { status: 200, data: first, arrivedAtMs: arrivalMs(hydrating) }
  return { id, answer, rows: withPage([], sightings({ ...answer, arrivedAtMs: 0 }), false) }
}

/** When the page's HTML began to arrive: what stands in it was read before. A page that was reached by a link came just now. */
function arrivalMs(hydrating: boolean): number {
  const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined
  return hydrating && navigation !== undefined ? navigation.responseStart : performance.now()
}

/**
 * A page of leases, watched: its rows as they are to be shown at this moment, and the query behind them.
 * @param first what the page's HTML has of it
 */
export function useWatchedPage(page: PageOfLeases, paused: boolean, first: LeaseList | null) {
  const client = useQueryClient()
  const id = JSON.stringify(keys.page(page))
  const hydrating = useHydrating()
  const [begun] = useState(() => beginning(id, first, hydrating))
  const query = useQuery({
    ...pageQuery(page),
    ...(begun?.id === id && { initialData: begun.answer, staleTime: firstStaysMs }),
  })
  const [watch] = useState(() => {
    const made = new RowWatch<Lease>({
      now: () => performance.now(),
      setTimer: (run, ms) => setTimeout(run, ms),
      clearTimer: (timer) => clearTimeout(timer as number),
      renewals,
      read: (lease) => readRow(client, lease),
    })
    // The server remembers nothing: all readers share its memory.
    if (begun !== null && typeof document !== 'undefined') made.replace(sightings(begun.answer))
    return made
  })
  const rows = useSyncExternalStore(watch.subscribe, watch.rows, () => begun?.rows ?? none)

  const shown = useRef<string | null>(begun?.id ?? null)
  const { data, isPlaceholderData } = query
  useLayoutEffect(() => {
    if (data === undefined || isPlaceholderData) return
    if (shown.current === id) watch.update(sightings(data), data.data.nextCursor === null)
    else watch.replace(sightings(data))
    shown.current = id
  }, [watch, data, isPlaceholderData, id])

  useEffect(() => watch.pause(paused), [watch, paused])
  return { rows, query, hold: watch.hold }
}
