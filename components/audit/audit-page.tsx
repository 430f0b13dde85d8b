'use client'

import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useRef } from 'react'
import { auditQuery, auditRhythmMs } from '../../lib/client/call/queries.ts'
import { countText } from '../../lib/client/time/time-text.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { usePointerHold } from '../leases/hold/use-pointer-hold.ts'
import { useLost } from '../shell/truth/use-connection.ts'
import { NotRead } from '../ui/control/not-read.tsx'
import { AuditAlarms } from './audit-alarms.tsx'
import { AuditFoot } from './audit-foot.tsx'
import { ChainProof } from './chain-proof.tsx'
import { actsOf } from './entries/act-of.ts'
import { AuditRows } from './entries/audit-rows.tsx'
import { type AuditFilter, askedFor, filterCount, filterOf, unreadFilters } from './filter/audit-filter.ts'
import { AuditFilters } from './filter/audit-filters.tsx'
import { useHeldPage } from './use-held-page.ts'

/** The audit log, newest first. Filters, place and the open act stand in the URL. */
export function AuditPage() {
  const { params, change } = useUrlState()
  const search = params.toString()
  const filter = useMemo(() => filterOf(new URLSearchParams(search)), [search])
  const unread = unreadFilters(params)
  const above = params.get('above')
  const continued = useMemo(() => new Set(above?.split(',')), [above])
  const query = useQuery(auditQuery(askedFor(filter)))
  const lost = useLost()
  const stale = lost !== null || query.isError
  const { page, waiting, show, holdPointer, holdFocus } = useHeldPage(
    query.data?.data,
    JSON.stringify(filter),
    query.isPlaceholderData,
  )
  const pointer = usePointerHold(holdPointer)
  const rows = useRef<HTMLElement>(null)
  const acts = useMemo(
    () => actsOf(filter.cursor === undefined ? (page?.pending ?? []) : [], page?.entries ?? [], continued),
    [page, filter.cursor, continued],
  )
  const nothing = page !== undefined && !query.isPlaceholderData && acts.length === 0
  const showNew = (event: MouseEvent) => {
    show()
    // The button disappears. From the keyboard the focus stays in the rows; after a click it holds them no longer.
    const first = rows.current?.querySelector<HTMLElement>('.toggle')
    if (event.detail === 0 && first) first.focus()
    else holdFocus(false)
  }
  return (
    <>
      <AuditAlarms alarms={query.data?.data.alarms ?? []} />
      <AuditFilters filter={filter} change={change} />
      <p className="mut small mt-3">
        {filter.chain === 'refused'
          ? 'Sign-ins and requests that were refused before an act began. They have a chain of their own, so that a flood of them never delays a release.'
          : 'Acts that began, each with its outcome. The outcome of an act can be “refused” too: Cassandra or a rule decided so after the act had begun.'}
      </p>
      {unread.length > 0 && (
        <p className="mut small mt-3" role="status">
          Not filtered by {unread.join(', ')}, which the page cannot read. The address writes a time as
          2026-11-21T14:00:00.000Z.
        </p>
      )}
      {query.isError && lost === null && (
        <NotRead error={query.error} what="The log" shown={page !== undefined} rhythmMs={auditRhythmMs} />
      )}
      {page?.pendingMore !== undefined && filter.cursor === undefined && (
        <p className="mut small mt-3" role="status">
          Cassandra has not taken the newest entries yet. The first {countText(page.pending.length)} are
          shown; {countText(page.pendingMore)} more wait.
        </p>
      )}
      {nothing && !query.isError ? (
        <NoEntry filter={filter} more={page.nextCursor !== null} />
      ) : (
        (page !== undefined || !query.isError) && (
          // The button that shows what waits is a part of what is held: on the way to it nothing moves.
          <section
            ref={rows}
            aria-label="Acts"
            onFocus={() => holdFocus(true)}
            onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && holdFocus(false)}
            {...pointer}
          >
            <Waiting count={waiting} onShow={showNew} />
            <AuditRows
              chain={filter.chain}
              acts={acts}
              loading={page === undefined}
              busy={query.isPlaceholderData}
              stale={stale}
              open={params.get('entry') ?? undefined}
              onOpen={(entry) => change({ entry }, 'replace')}
            />
          </section>
        )
      )}
      {/* Below rows that are still awaited these would move. */}
      {(page !== undefined || query.isError) && (
        <>
          <AuditFoot
            filter={filter}
            acts={acts}
            next={page?.nextCursor ?? null}
            continued={continued}
            readAtMs={query.data?.arrivedAtMs}
            stale={stale}
            change={change}
          />
          <ChainProof />
        </>
      )}
    </>
  )
}

/** New acts wait while the rows are held. The line has its place before it says anything: rows must not move for it. */
function Waiting({ count, onShow }: { count: number; onShow: (event: MouseEvent) => void }) {
  return (
    <p className="waiting" role="status">
      {count > 0 && (
        <>
          <button type="button" className="btn sm" onClick={onShow}>
            {count === 1 ? 'Show 1 new act' : `Show ${count} new acts`}
          </button>{' '}
          Rows stay in place while you use them.
        </>
      )}
    </p>
  )
}

/** No entry was found: in this part, or at all. */
function NoEntry({ filter, more }: { filter: AuditFilter; more: boolean }) {
  const filtered = filterCount(filter) > 0
  const refused = filter.chain === 'refused'
  return (
    <div className="plain" role="status">
      <h2>
        {more
          ? 'No entry in this part of the log'
          : filtered
            ? 'No entry matches'
            : refused
              ? 'No refusals'
              : 'The log is empty'}
      </h2>
      <p className="mut">
        {more
          ? 'One page searches a limited number of entries. Press Older to search on.'
          : filtered
            ? 'Names are compared letter for letter. New acts appear here within 3 s.'
            : 'New acts appear here within 3 s.'}
      </p>
    </div>
  )
}
