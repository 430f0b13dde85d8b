'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { auditQuery, auditRhythmMs } from '../../lib/client/queries.ts'
import { countText } from '../../lib/client/time-text.ts'
import { useUrlState } from '../leases/use-url-state.ts'
import { useLost } from '../shell/use-connection.ts'
import { NotRead } from '../ui/not-read.tsx'
import { AuditAlarms } from './audit-alarms.tsx'
import { type AuditFilter, filterCount, filterOf } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditFoot } from './audit-foot.tsx'
import { AuditRows } from './audit-rows.tsx'
import { ChainProof } from './chain-proof.tsx'
import { useHeldPage } from './use-held-page.ts'

/** The audit log, newest first. Filters, place and the open entry stand in the URL. */
export function AuditPage() {
  const { params, change } = useUrlState()
  const search = params.toString()
  const filter = useMemo(() => filterOf(new URLSearchParams(search)), [search])
  const query = useQuery(auditQuery(filter))
  const lost = useLost()
  const stale = lost !== null || query.isError
  const held = useHeldPage(query.data?.data, JSON.stringify(filter))
  const { page } = held
  const nothing =
    page !== undefined &&
    !query.isPlaceholderData &&
    page.entries.length === 0 &&
    (page.pending.length === 0 || filter.cursor !== undefined)
  return (
    <>
      <AuditAlarms alarms={query.data?.data.alarms ?? []} />
      <AuditFilters filter={filter} change={change} />
      {filter.chain === 'refused' && (
        <p className="mut small mt-3">
          Refused sign-ins and requests. They stand on a chain of their own, so that a flood of them never
          delays a release.
        </p>
      )}
      {query.isError && lost === null && (
        <NotRead error={query.error} what="The log" shown={page !== undefined} rhythmMs={auditRhythmMs} />
      )}
      {held.waiting > 0 && (
        <p className="waiting" role="status">
          {held.waiting === 1 ? '1 new entry waits' : `${held.waiting} new entries wait`} until the pointer
          and the focus have left the rows.{' '}
          <button type="button" className="btn sm" onClick={held.show}>
            Show them now
          </button>
        </p>
      )}
      {page?.pendingMore !== undefined && filter.cursor === undefined && (
        <p className="mut small mt-3" role="status">
          Above what is written stand the first {countText(page.pending.length)} of those entries that
          Cassandra has not taken yet; {countText(page.pendingMore)} more wait behind them.
        </p>
      )}
      {nothing && !query.isError ? (
        <NoEntry filter={filter} more={page.nextCursor !== null} />
      ) : (
        (page !== undefined || !query.isError) && (
          <AuditRows
            chain={filter.chain}
            entries={page?.entries ?? []}
            pending={filter.cursor === undefined ? (page?.pending ?? []) : []}
            loading={page === undefined}
            busy={query.isPlaceholderData}
            stale={stale}
            open={params.get('entry') ?? undefined}
            onOpen={(entry) => change({ entry }, 'replace')}
            onPointer={held.holdPointer}
            onFocus={held.holdFocus}
          />
        )
      )}
      <AuditFoot
        filter={filter}
        page={page}
        readAtMs={query.data?.arrivedAtMs}
        stale={stale}
        change={change}
      />
      <ChainProof />
    </>
  )
}

/** Nothing found: in this part, or at all. */
function NoEntry({ filter, more }: { filter: AuditFilter; more: boolean }) {
  const filtered = filterCount(filter) > 0
  return (
    <div className="plain" role="status">
      <h2>
        {more
          ? 'No entry in this part of the log'
          : filtered
            ? 'No entry matches'
            : filter.chain === 'refused'
              ? 'Nobody was refused'
              : 'The log is empty'}
      </h2>
      <p className="mut">
        {more
          ? 'One page looks at a bounded number of entries. Older leads to the ones before.'
          : filtered
            ? 'Names and persons are compared letter for letter. What is done now appears here within 3 s.'
            : 'What is done here appears here within 3 s.'}
      </p>
    </div>
  )
}
