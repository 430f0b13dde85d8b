'use client'

import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../../../lib/client/call/call.ts'
import { clusterQuery } from '../../../lib/client/call/queries.ts'
import type { Row } from '../../../lib/client/row/row-board.ts'
import { newLeasePath, tableParam } from '../../leases/address/lease-link.ts'
import { useTable } from '../../leases/address/use-table.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Say } from '../../ui/text/say.tsx'
import { repairCommand } from './repair-command.ts'

/** A row without its owner: what is left of it, which clients that hinders, for how long, and how to repair it. */
export function ZombieSentence({ row: { lease, clock } }: { row: Row }) {
  const table = tableParam(lease.table)
  const { lock } = useTable(table)
  const { data } = useQuery(clusterQuery)
  const command = data === undefined ? null : repairCommand(lease.name, lease.table, data.data.embedded)
  const marker = lease.value === null
  return (
    <Say
      tone="danger"
      icon="zombie"
      title={
        marker
          ? 'It has no owner; only the row’s marker is left.'
          : 'It has no owner, but its value is still there.'
      }
    >
      <p>
        {marker
          ? 'The owner expired or was deleted. For a row that an INSERT made, Cassandra keeps a marker too, and that is still there.'
          : 'The owner expired before the value: a renewal set only a part of the row.'}{' '}
        A client that acquires with <code>INSERT … IF NOT EXISTS</code> is refused{' '}
        {clock.endsAtMs !== null ? (
          <>
            until the value expires, at <Instant at={serverNow(clock.endsAtMs)} zoned />
          </>
        ) : marker ? (
          'until the marker expires, if it ever does; Cassandra does not say when'
        ) : (
          'for ever: the value has no expiry'
        )}
        . Leasehold can acquire it, and then writes the whole row.
      </p>
      {lock === null && (
        <p className="mt-2">
          To repair it, make a new lease with this name{marker && ', and release it'}:{' '}
          <PageLink className="btn sm" href={newLeasePath(lease.name, table)}>
            New lease…
          </PageLink>
        </p>
      )}
      {lock === null && command !== null && (
        <p className="mt-2">
          In a shell, this acquires and releases it: <code>{command}</code>{' '}
          <CopyButton text={command} label="Copy the command" />
        </p>
      )}
    </Say>
  )
}
