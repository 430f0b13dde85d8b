'use client'

import { useQueryClient } from '@tanstack/react-query'
import { isApiError, isServerSilent } from '../../lib/client/call/api-error.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { isUnknownTable, keys } from '../../lib/client/call/queries.ts'
import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import { leaseAuditPath } from '../../lib/contract/path.ts'
import { listPath, tableParam } from '../leases/address/lease-link.ts'
import { TableName } from '../leases/address/table-switch.tsx'
import { useTable } from '../leases/address/use-table.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { UnknownTable } from '../leases/no-rows/unknown-table.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { useLockReason, useLost } from '../shell/truth/use-connection.ts'
import { later } from '../ui/control/later.tsx'
import { Say } from '../ui/text/say.tsx'
import { LeaseEvidence } from './facts/lease-evidence.tsx'
import { LeaseFacts } from './facts/lease-facts.tsx'
import { LeaseNow } from './facts/lease-now.tsx'
import { LeaseHead } from './lease-head.tsx'
import { DoneByForce } from './memory/done-by-force.tsx'
import { useLeaseMemory } from './memory/use-lease-memory.ts'
import { NotHeld } from './not-held.tsx'
import { useWatchedLease } from './use-watched-lease.ts'

const HistorySection = later(async () => (await import('../history/history-section.tsx')).HistorySection)
const ReleaseDialog = later(async () => (await import('../release/release-dialog.tsx')).ReleaseDialog)

interface LeasePageProps {
  /** Decoded, and a name that a lease may have. */
  name: string
  table: string | undefined
}

/** One lease, under a URL of its own. */
export function LeasePage({ name, table: given }: LeasePageProps) {
  const table = tableParam(given ?? 'leases')
  return <WatchedLease key={`${table}\n${name}`} name={name} table={table} />
}

function WatchedLease({ name, table }: { name: string; table: string | undefined }) {
  const { params, change } = useUrlState()
  const lost = useLost()
  const { facts, lock: tableLock } = useTable(table)
  const lock = useLockReason() ?? (facts === undefined ? null : tableLock)
  const { row, query, reading, lastHeld, lastOwned } = useWatchedLease(name, table, true, lost !== null)
  // An error other than Cassandra's silence prevents reading this lease.
  const failed = query.isError && lost === null && !isServerSilent(query.error)
  const stale = lost !== null || failed
  const refused = isApiError(query.error) && (query.error.status === 400 || query.error.status === 403)
  const open = params.has('release')
  const holder = reading === undefined ? undefined : reading.held ? reading.sighting.lease.owner : null
  const memory = useLeaseMemory(name, table, holder)
  const brokenBy =
    row === undefined ? null : (quarantineOf(row.lease.owner, row.lease.value)?.releaseId ?? null)
  // Until it is known, nothing is said that would move away.
  const isTold = !memory.isKnown || memory.shown.some(({ id }) => id === brokenBy)
  const older = memory.hasOlder ? leaseAuditPath(name, table ?? 'leases') : null
  const client = useQueryClient()
  const closeRelease = () => {
    change({ release: undefined })
    // The page shows the act of the dialog at once.
    client.invalidateQueries({ queryKey: keys.allLeaseReleases })
  }
  return (
    <>
      <nav className="crumb" aria-label="Where you are">
        <PageLink href={listPath(table)}>Leases</PageLink>
        <span aria-hidden="true">/</span>
        <TableName table={table} />
      </nav>
      <LeaseHead
        name={name}
        table={table}
        row={row}
        stale={stale}
        lock={stale && lock === null ? 'it could not be read' : lock}
        readOnly={lastHeld?.readOnly ?? facts?.readOnly ?? false}
        onRelease={() => change({ release: '1' })}
      />
      {table !== undefined && isUnknownTable(query.error) ? (
        <UnknownTable table={table} />
      ) : (
        failed && (
          <div className="mt-3">
            <Say tone="danger" icon="stale" title={errorWords(query.error).title} role="alert">
              {errorWords(query.error).detail} {!refused && 'The page tries again every second.'}
            </Say>
          </div>
        )
      )}
      {row && row.state !== 'gone' ? (
        <>
          <section className="now" aria-label="Now" data-state={row.state} data-stale={stale || undefined}>
            <LeaseNow row={row} stale={stale} isTold={isTold} acting={memory.acting} />
            <LeaseFacts row={row} owned={lastOwned} />
          </section>
          <DoneByForce
            releases={memory.shown}
            owner={row.lease.owner}
            explains={stale ? null : brokenBy}
            auditPath={older}
          />
        </>
      ) : reading?.held === false ? (
        <>
          <NotHeld
            table={table}
            reading={reading}
            was={lastHeld ?? row?.lease ?? null}
            owned={lastOwned}
            memory={memory}
            stale={stale}
          />
          <DoneByForce
            releases={memory.shown}
            owner={null}
            explains={stale ? null : (memory.acting?.id ?? null)}
            auditPath={older}
          />
        </>
      ) : (
        !failed && <Awaiting lost={lost !== null} />
      )}
      <div className="records">
        {!failed && <HistorySection name={name} table={table} holder={holder ?? null} stale={stale} />}
        {row && row.state !== 'gone' && lastHeld && <LeaseEvidence lease={lastHeld} stale={stale} />}
      </div>
      {open && <ReleaseDialog name={name} table={table} onClose={closeRelease} />}
    </>
  )
}

function Awaiting({ lost }: { lost: boolean }) {
  return (
    <section className="now" aria-label="Now" aria-busy={!lost}>
      <div>
        <p className="big dim" role="status">
          {lost ? '–' : '…'}
          <small>{lost ? 'not read yet' : 'reading it at SERIAL'}</small>
        </p>
      </div>
    </section>
  )
}
