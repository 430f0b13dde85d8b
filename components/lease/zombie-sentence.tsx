'use client'

import { serverNow } from '../../lib/client/call.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { newLeasePath, tableParam } from '../leases/lease-link.ts'
import { useTable } from '../leases/use-table.ts'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { Say } from '../ui/say.tsx'

/** A row without its owner: what is left of it, whom that hinders, for how long, and how to put it right. */
export function ZombieSentence({ row: { lease, clock } }: { row: Row }) {
  const table = tableParam(lease.table)
  const { lock } = useTable(table)
  const marker = lease.value === null
  return (
    <Say
      tone="danger"
      icon="zombie"
      title={
        marker
          ? 'Nobody owns it, and only the row’s marker is left.'
          : 'Nobody owns it, and its value is still there.'
      }
    >
      <p>
        {marker
          ? 'The owner expired or was deleted before the row that an INSERT had made.'
          : 'The owner expired before the value: somebody renewed only a part of the row.'}{' '}
        A client that acquires with <code>INSERT … IF NOT EXISTS</code> is refused{' '}
        {clock.endsAtMs !== null ? (
          <>
            until the value expires, at <Instant at={serverNow(clock.endsAtMs)} zoned />
          </>
        ) : marker ? (
          'until the marker expires, if it ever does; Cassandra does not tell when'
        ) : (
          'for ever: the value has no expiry'
        )}
        . Leasehold’s own acquire takes it, and writes the whole row anew.
      </p>
      {lock === null && (
        <p className="mt-2">
          To put it right, make a new lease with this name:{' '}
          <PageLink className="btn sm" href={newLeasePath(lease.name, table)}>
            New lease…
          </PageLink>
        </p>
      )}
    </Say>
  )
}
