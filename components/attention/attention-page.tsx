// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { clusterQuery, isUnknownTable } from '../../lib/client/call/queries.ts'
import { countText } from '../../lib/client/time/time-text.ts'
import { troubleView } from '../../lib/client/view/lease-view.ts'
import { hasLeft, type LiveRow } from '../../lib/client/watch/live-board.ts'
import { pageList } from '../../lib/client/watch/shared-watch.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { Lease, LeaseList } from '../../lib/contract/leases/lease.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import { listPath, tableParam } from '../leases/address/lease-link.ts'
import { useTable } from '../leases/address/use-table.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { useSteadyRows } from '../leases/hold/use-steady-rows.ts'
import { releasedName } from '../leases/list/list-dialogs.tsx'
import { FailedPage, StalePage, UnansweredTable } from '../leases/no-rows/failed-page.tsx'
import { asSeen } from '../leases/row/as-seen.ts'
import { releaseLock } from '../leases/row/release-lock.ts'
import { useListKeys } from '../leases/state/use-list-keys.ts'
import { useLiveLeases } from '../leases/state/use-live-leases.ts'
import { useRowCursor } from '../leases/state/use-row-cursor.ts'
import { mayLeave, PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { useLockReason, useLost } from '../shell/truth/use-connection.ts'
import { later } from '../ui/control/later.tsx'
import { HeadRow } from '../ui/rows/rows-table.tsx'
import { alikeNames } from '../ui/text/row-name.tsx'
import { isAllWell } from './all-well.ts'
import { AttentionRow } from './attention-row.tsx'
import { ClocksRow } from './clocks-row.tsx'
import { NoTrouble } from './no-trouble.tsx'

const HelpDialog = later(async () => (await import('../leases/list/help-dialog.tsx')).HelpDialog)
const ReleaseDialog = later(async () => (await import('../release/release-dialog.tsx')).ReleaseDialog)
const UnknownTable = later(async () => (await import('../leases/no-rows/unknown-table.tsx')).UnknownTable)

/** A press here opens a page, no more: what it missed is not said. */
const nothing = () => {}
/** The worst are shown; of more, the list has all. */
const mostRows = 100
const heads = [['State'], ['Name'], ['What is wrong'], ['How long'], ['What to do']] as const

/** The leases that a person should look at, the worst first. `first`: those that the page's HTML has. */
export function AttentionPage({ first }: { first: LeaseList | null }) {
  const { params, change } = useUrlState()
  const router = useRouter()
  const table = tableParam(params.get('table') ?? 'leases')
  const view = useMemo(() => troubleView(table), [table])
  const state = view.states.join(',')
  const lost = useLost()
  // undefined: not known yet.
  const clocksApart = useQuery(clusterQuery).data?.data.clocksApart
  const { list, shown } = useLiveLeases(view, { offset: 0, limit: mostRows }, lost !== null, first)
  const { rows, counts, silence, unanswered, error, isFinal, paused, scan } = shown
  useEffect(() => pageList.show(list, view), [list, view])
  const { cursorKey, stopKey, moveTo, onFocus, register } = useRowCursor(rows)
  const alike = useMemo(() => alikeNames(rows.map(({ lease }) => lease.name)), [rows])
  const rowsRef = useRef<HTMLDivElement>(null)
  const steady = useSteadyRows(rowsRef, list.hold, nothing)
  const openPage = useCallback(
    ({ lease }: LiveRow, apart: boolean) => {
      if (!isAddressable(lease.name)) return
      const path = leasePath(lease.name, lease.table)
      if (apart) globalThis.open(path, '_blank', 'noopener')
      else if (mayLeave()) router.push(path)
    },
    [router],
  )
  const isStale = lost !== null || silence !== null || unanswered !== null
  const { lock: tableLock } = useTable(table)
  const lock = useLockReason() ?? tableLock
  const mayRelease = may(useSession(), endpoints.planRelease) && lock === null && !isStale
  const released = releasedName(params)
  const [seen, setSeen] = useState<Lease | null>(null)
  useListKeys({
    enabled: !params.has('help') && released === null,
    rows,
    cursorKey,
    moveTo: (to) => {
      moveTo(to)
      if (to === null) document.getElementById('main')?.focus()
    },
    open: (row) => openPage(row, false),
    release: (row) => {
      if (!mayRelease || !isAddressable(row.lease.name) || releaseLock(row) !== null) return
      setSeen(asSeen(row))
      change({ release: row.lease.name, releaseTable: tableParam(row.lease.table) })
    },
    help: () => change({ help: '1' }),
    attention: () => mayLeave() && router.push(listPath(table)),
    pause: () => list.pause(paused === null),
  })

  const isStill = isStale || paused !== null
  const isRead = shown.key !== null && (rows.length > 0 || scan === null || scan.endedAt !== null)
  return (
    <>
      <div className="head">
        <h1>Needs attention</h1>
        {counts !== null && counts.matching > 0 && (
          <span className="mut" role="status">
            {countText(counts.matching)} of {countText(counts.total)} leases, the worst first
          </span>
        )}
      </div>
      <p className="mut attention-lead">
        Leases that cannot be acquired, that only a release frees, that change hands too often, or whose
        renewals are missing or incomplete.
      </p>
      {table !== undefined && isUnknownTable(error) ? (
        <UnknownTable table={table} />
      ) : error !== null && shown.key === null ? (
        <FailedPage error={error} isFinal={isFinal} retry={list.retry} busy={false} />
      ) : (
        <>
          {silence !== null && lost === null && (
            <StalePage error={error} sinceMs={silence.sinceMs} isFinal={isFinal} retry={list.retry} />
          )}
          {unanswered !== null && silence === null && lost === null && (
            <UnansweredTable sinceMs={unanswered.sinceMs} isRefused={unanswered.isRefused} />
          )}
          {isAllWell({ isRead, rows: rows.length, clocksApart }) ? (
            <NoTrouble table={table} paused={paused} scan={scan} isStale={isStale} />
          ) : (
            <div
              ref={rowsRef}
              className="rows"
              role="table"
              aria-label="Needs attention"
              data-cols="attention"
              aria-busy={!isRead || clocksApart === undefined}
              data-stale={isStill || undefined}
              {...steady}
            >
              <HeadRow heads={heads} last="Open" />
              {clocksApart && <ClocksRow of={clocksApart} />}
              {rows.map((row) => (
                <AttentionRow
                  key={row.key}
                  row={row}
                  isAlike={alike.has(row.lease.name)}
                  cursor={row.key === cursorKey}
                  isStop={row.key === stopKey}
                  isStill={isStill || hasLeft(row)}
                  onOpen={openPage}
                  onFocus={onFocus}
                  register={register}
                />
              ))}
            </div>
          )}
          {counts !== null && counts.matching > mostRows && (
            <p className="mut mt-3">
              The worst {mostRows} are shown.{' '}
              <PageLink href={`/?${new URLSearchParams(table ? { table, state } : { state })}`}>
                All {countText(counts.matching)} in the list
              </PageLink>
            </p>
          )}
        </>
      )}
      {released !== null && (
        <ReleaseDialog
          name={released}
          table={params.get('releaseTable') ?? undefined}
          seen={seen?.name === released ? seen : null}
          onClose={() => change({ release: undefined, releaseTable: undefined })}
        />
      )}
      {params.has('help') && <HelpDialog open onClose={() => change({ help: undefined })} />}
    </>
  )
}
