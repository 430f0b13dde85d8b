'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isServerSilent } from '../../lib/client/call/api-error.ts'
import { isUnknownTable, keys } from '../../lib/client/call/queries.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import { leaseAuditPath } from '../../lib/contract/path.ts'
import { listPath, tableParam } from '../leases/address/lease-link.ts'
import { TableName } from '../leases/address/table-switch.tsx'
import { useTable } from '../leases/address/use-table.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { FailedPage, StalePage, UnansweredTable } from '../leases/no-rows/failed-page.tsx'
import { asSeen } from '../leases/row/as-seen.ts'
import { PageLink } from '../shell/page-link.tsx'
import { useLockReason, useLost } from '../shell/truth/use-connection.ts'
import { later } from '../ui/control/later.tsx'
import { useKey } from '../ui/control/use-key.ts'
import { LeaseEvidence } from './facts/lease-evidence.tsx'
import { LeaseFacts } from './facts/lease-facts.tsx'
import { LeaseNow } from './facts/lease-now.tsx'
import { LeaseHead } from './lease-head.tsx'
import { DoneByForce } from './memory/done-by-force.tsx'
import { lastDoneAt } from './memory/lease-memory.ts'
import { useLeaseMemory } from './memory/use-lease-memory.ts'
import { NotHeld } from './not-held.tsx'
import { useWatchedLease } from './use-watched-lease.ts'

const HistorySection = later(async () => (await import('../history/history-section.tsx')).HistorySection)
const ReleaseDialog = later(async () => (await import('../release/release-dialog.tsx')).ReleaseDialog)
const UnknownTable = later(async () => (await import('../leases/no-rows/unknown-table.tsx')).UnknownTable)

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
  const watched = useWatchedLease(name, table, lost !== null)
  const { list, row, free, was, lastSeenAtMs, owned, reading, error, readAgain, isReading } = watched
  const { silence, unanswered, isFinal, paused } = watched
  const isKnown = row !== null || free !== null
  // An error other than Cassandra's silence prevents reading this lease.
  const failed = error !== null && lost === null && !isServerSilent(error) && (!isKnown || silence !== null)
  const isStale = lost !== null || silence !== null || unanswered !== null || failed
  const still = isStale ? 'stale' : paused !== null ? 'paused' : null
  const open = params.has('release')
  const [seen, setSeen] = useState<Lease | null>(null)
  // The error may be that of either.
  const tryAgain = () => {
    list.retry()
    readAgain()
  }
  useKey('p', !open, () => list.pause(paused === null))
  const holder = row !== null ? row.lease.owner : free !== null ? null : undefined
  const detail = reading?.held === true ? reading.sighting.lease : null
  const memory = useLeaseMemory(name, table, row !== null ? row.lease : free !== null ? null : undefined)
  const brokenBy = row === null ? null : (quarantineOf(row.lease.owner, row.lease.value)?.releaseId ?? null)
  // Until it is known, nothing is said that would move away.
  const isTold = !memory.isKnown || memory.shown.some(({ id }) => id === brokenBy)
  const older = memory.hasOlder ? leaseAuditPath(name, table ?? 'leases') : null
  const client = useQueryClient()
  const found = { queryKey: keys.found(name, table) }
  const closeRelease = () => {
    change({ release: undefined })
    client.removeQueries(found)
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
        still={still}
        lock={still === 'stale' && lock === null ? 'it could not be read' : lock}
        readOnly={detail?.readOnly ?? facts?.readOnly ?? false}
        onRelease={() => {
          client.removeQueries(found)
          setSeen(row === null ? null : asSeen(row))
          change({ release: '1' })
        }}
      />
      {table !== undefined && isUnknownTable(error) ? (
        <UnknownTable table={table} />
      ) : failed && !isKnown ? (
        <FailedPage error={error} isFinal={isFinal} retry={tryAgain} busy={isReading} of="lease" />
      ) : (
        silence !== null &&
        lost === null && (
          <StalePage
            error={error}
            sinceMs={silence.sinceMs}
            isFinal={isFinal}
            retry={list.retry}
            of="lease"
          />
        )
      )}
      {unanswered !== null && silence === null && lost === null && !failed && (
        <UnansweredTable sinceMs={unanswered.sinceMs} isRefused={unanswered.isRefused} of="lease" />
      )}
      {row !== null ? (
        <>
          <section
            className="now"
            aria-label="Now"
            data-state={row.state}
            data-stale={still !== null || undefined}
          >
            <LeaseNow row={row} still={still} isTold={isTold} acting={memory.acting} />
            <LeaseFacts row={row} owned={owned} stale={still !== null} />
          </section>
          <DoneByForce
            releases={memory.shown}
            holder={row.lease}
            explains={still !== null ? null : brokenBy}
            auditPath={older}
          />
        </>
      ) : free !== null ? (
        <>
          <NotHeld
            table={table}
            reading={free}
            was={was}
            lastSeenAtMs={lastSeenAtMs}
            owned={owned}
            memory={memory}
            still={still}
          />
          <DoneByForce
            releases={memory.shown}
            holder={null}
            explains={still !== null ? null : (memory.acting?.id ?? null)}
            auditPath={older}
          />
        </>
      ) : (
        !failed && <Awaiting lost={lost !== null} />
      )}
      <div className="records">
        {!failed && (
          <HistorySection
            name={name}
            table={table}
            holder={holder}
            isFree={row === null && free !== null}
            actedAt={lastDoneAt(memory.shown)}
            stale={still === 'stale'}
          />
        )}
        {row !== null && (
          <LeaseEvidence
            row={row}
            detail={detail}
            stale={still === 'stale'}
            isReading={isReading}
            onRead={readAgain}
          />
        )}
      </div>
      {open && (
        <ReleaseDialog
          name={name}
          table={table}
          seen={client.getQueryData<Lease>(found.queryKey) ?? seen}
          onClose={closeRelease}
        />
      )}
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
