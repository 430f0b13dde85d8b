'use client'

import { useQuery } from '@tanstack/react-query'
import { hasNoLeaders, leaseHistoryQuery, termQuery } from '../../../lib/client/call/queries.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { runOfLease } from '../../../lib/contract/lab/lab-lease.ts'
import { historyRanges, rangeOf } from '../../history/history-range.ts'
import { tableParam } from '../../leases/address/lease-link.ts'
import { useUrlState } from '../../leases/address/use-url-state.ts'
import { Since } from '../../leases/row/held-for.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { heldSinceIn } from './held-since.ts'

/** For how long the holder has held the lease, and its term: as far as the election, the watch or the history know. */
export function TenureAge({ row: { lease, reading }, stale }: { row: LiveRow; stale: boolean }) {
  const { params } = useUrlState()
  const { owner, heldSince } = lease
  const table = tableParam(lease.table)
  // Groups are in one table alone.
  const { data: election, error } = useQuery({
    ...termQuery(lease.name, owner),
    enabled: table === undefined,
  })
  const led = election?.leader === owner ? election : null
  // As the history's section reads it; not read a second time.
  const { data: history } = useQuery({
    ...leaseHistoryQuery(lease.name, table, historyRanges[rangeOf(params.get('history'))]),
    enabled: false,
  })
  // Of a lease of the lab it is not read.
  const isOfLab = table === undefined && runOfLease(lease.name) !== null
  // A read that failed leaves it open, and is made again.
  const isReading =
    (table === undefined && election === undefined && !hasNoLeaders(error)) ||
    (!isOfLab && history === undefined)
  const inHistory = history === undefined ? null : heldSinceIn(history, owner)
  const since = led?.since ?? heldSince ?? null
  const sinceMs = since === null ? inHistory : Date.parse(since)
  return (
    <>
      {sinceMs === null ? (
        <span className="dim">{isReading ? '…' : 'not known: since before it was watched'}</span>
      ) : (
        <>
          <Since atMs={sinceMs} untilMs={stale ? reading.atMs : null} />{' '}
          <span className="dim">
            since <Instant at={sinceMs} />
          </span>
        </>
      )}
      {led?.term != null && <span className="dim">, term {led.term}</span>}
    </>
  )
}
