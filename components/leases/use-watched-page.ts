'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Answer } from '../../lib/client/call.ts'
import { call } from '../../lib/client/call.ts'
import type { Sighting } from '../../lib/client/countdown.ts'
import { keys, type PageOfLeases, pageQuery, readLease } from '../../lib/client/queries.ts'
import { renewals } from '../../lib/client/renewals.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { type RowReading, RowWatch } from '../../lib/client/row-watch.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { isAddressable } from '../../lib/contract/path.ts'
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

/** A page of leases, watched: its rows as they are to be shown at this moment, and the query behind them. */
export function useWatchedPage(page: PageOfLeases, paused: boolean) {
  const client = useQueryClient()
  const query = useQuery(pageQuery(page))
  const [watch] = useState(
    () =>
      new RowWatch<Lease>({
        now: () => performance.now(),
        setTimer: (run, ms) => setTimeout(run, ms),
        clearTimer: (timer) => clearTimeout(timer as number),
        renewals,
        read: (lease) => readRow(client, lease),
      }),
  )
  const rows = useSyncExternalStore(watch.subscribe, watch.rows, () => none)

  const id = JSON.stringify(keys.page(page))
  const shown = useRef<string | null>(null)
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
