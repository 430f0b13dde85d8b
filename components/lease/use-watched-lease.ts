'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { keys, leaseQuery, readLease } from '../../lib/client/call/queries.ts'
import { renewals } from '../../lib/client/row/renewals.ts'
import type { Row } from '../../lib/client/row/row-board.ts'
import { RowWatch } from '../../lib/client/row/row-watch.ts'
import { pageList } from '../../lib/client/watch/shared-watch.ts'
import type { Lease, LeaseDetail } from '../../lib/contract/leases/lease.ts'

const none: readonly Row[] = []

/**
 * One lease, watched: the same board as the list's, with one row on it. `row` is undefined before the first answer, and
 * while the lease has had no holder since the page was opened. `lastOwned`: the row as it was last seen under an owner of its
 * own, not under the mark of a break.
 */
export function useWatchedLease(name: string, table: string | undefined, enabled: boolean, paused: boolean) {
  const client = useQueryClient()
  const query = useQuery({ ...leaseQuery(name, table), enabled })
  const [watch] = useState(
    () =>
      new RowWatch<Lease>({
        now: () => performance.now(),
        setTimer: (run, ms) => setTimeout(run, ms),
        clearTimer: (timer) => clearTimeout(timer as number),
        renewals,
        read: async () => {
          const reading = await readLease(name, table)
          client.setQueryData(keys.lease(name, table), reading)
          return reading
        },
      }),
  )
  const rows = useSyncExternalStore(watch.subscribe, watch.rows, () => none)
  const reading = query.data
  const [lastHeld, setLastHeld] = useState<LeaseDetail | null>(null)
  const [lastOwned, setLastOwned] = useState<Lease | null>(null)

  useLayoutEffect(() => {
    if (reading === undefined) {
      // Until the first answer, what the list has seen of it is shown, with its age.
      const seen = pageList.seenBefore(name, table ?? 'leases')
      if (seen) watch.replace([seen])
    } else if (reading.held) {
      setLastHeld(reading.sighting.lease)
      if (reading.sighting.lease.state !== 'quarantined') setLastOwned(reading.sighting.lease)
      if (watch.rows().some((row) => row.state !== 'gone')) watch.see(reading.sighting)
      else watch.replace([reading.sighting])
    } else {
      for (const row of watch.rows()) watch.free(row.lease, reading.readAtMs)
    }
  }, [client, watch, reading, name, table])

  useEffect(() => watch.pause(paused), [watch, paused])
  return { row: rows[0], query, reading, lastHeld, lastOwned }
}
