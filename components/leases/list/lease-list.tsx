'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isUnknownTable } from '../../../lib/client/call/queries.ts'
import { isWholeTable, viewKey } from '../../../lib/client/view/lease-view.ts'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { pageList } from '../../../lib/client/watch/shared-watch.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { Lease, LeaseList as LeaseAnswer } from '../../../lib/contract/leases/lease.ts'
import { isAddressable, leasePath } from '../../../lib/contract/path.ts'
import { attentionPath } from '../../attention/attention-link.ts'
import { mayLeave } from '../../shell/page-link.tsx'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { useLockReason, useLost } from '../../shell/truth/use-connection.ts'
import { later } from '../../ui/control/later.tsx'
import { tableParam } from '../address/lease-link.ts'
import { statePatch } from '../address/state-patch.ts'
import { useLeaseView } from '../address/use-lease-view.ts'
import { useTable } from '../address/use-table.ts'
import { useUrlState } from '../address/use-url-state.ts'
import { columnsButtonId } from '../columns/columns-button.tsx'
import { useColumns } from '../columns/use-columns.ts'
import { ListFoot } from '../foot/list-foot.tsx'
import { FailedPage, StalePage, UnansweredTable } from '../no-rows/failed-page.tsx'
import { NoMatch } from '../no-rows/no-match.tsx'
import { asSeen } from '../row/as-seen.ts'
import { releaseLock } from '../row/release-lock.ts'
import { asOf } from '../state/as-of.ts'
import { useEdge } from '../state/use-edge.ts'
import { useListKeys } from '../state/use-list-keys.ts'
import { useLiveLeases } from '../state/use-live-leases.ts'
import { useRowCursor } from '../state/use-row-cursor.ts'
import { useSaid } from '../state/use-said.ts'
import { useScrollWindow } from '../state/use-scroll-window.ts'
import { useSearchTarget } from '../state/use-search-target.ts'
import { haveSameCounts } from './all-count.ts'
import { LeaseRows } from './lease-rows.tsx'
import { hasDialog, ListDialogs, noDialog } from './list-dialogs.tsx'
import { ListHead } from './list-head.tsx'

const EmptyTable = later(async () => (await import('../no-rows/empty-table.tsx')).EmptyTable)
const UnknownTable = later(async () => (await import('../no-rows/unknown-table.tsx')).UnknownTable)
const missedText = 'The rows moved under the pointer, so nothing was pressed. Press again.'
const noFilter = { prefix: undefined, q: undefined, owner: undefined, state: undefined }

/**
 * The leases, live. `first`: the rows that the page's HTML has; null: they come with the stream. The view and the open
 * dialogs stand in the URL.
 */
export function LeaseList({ first }: { first: LeaseAnswer | null }) {
  const { params, change } = useUrlState()
  const view = useLeaseView()
  const { hidden } = useColumns()
  const { said, say, copy } = useSaid()
  const router = useRouter()
  const lost = useLost()
  const lostLock = useLockReason()
  const table = useRef<HTMLDivElement>(null)
  const { window, heightPx } = useScrollWindow(table)
  const { list, shown } = useLiveLeases(view, window, lost !== null, first)
  const { rows, offset, below, counts, silence, unanswered, error, isFinal, paused, scan } = shown
  useEffect(() => pageList.show(list, view), [list, view])

  const { lock: tableLock } = useTable(view.table)
  const session = useSession()
  const mayRelease = may(session, endpoints.planRelease)
  const lock = lostLock ?? tableLock ?? (may(session, endpoints.putLock) ? null : 'your role changes nothing')
  const isStale = lost !== null || silence !== null || unanswered !== null
  const key = viewKey(view)
  const isHere = shown.key === key
  // Before the first scan has ended, the table may be empty or not.
  const isRead = isHere && (rows.length > 0 || scan === null || scan.endedAt !== null)
  const matching = isHere ? (counts?.matching ?? null) : null

  const searchRef = useRef<HTMLInputElement>(null)
  const { cursorKey, stopKey, moveTo, onFocus, register } = useRowCursor(rows)
  const toEdge = useEdge({ table, rows, offset, matching, moveTo })
  const toRows = useSearchTarget({ rows, q: view.q, isHere, searchRef, stopKey, moveTo })

  const close = useCallback(() => change(noDialog), [change])
  const [seen, setSeen] = useState<Lease | null>(null)
  const openRelease = useCallback(
    (row: LiveRow) => {
      setSeen(asSeen(row))
      change({ release: row.lease.name, releaseTable: tableParam(row.lease.table) })
    },
    [change],
  )
  const openPage = useCallback(
    ({ lease }: LiveRow, apart: boolean) => {
      if (!isAddressable(lease.name)) return
      const path = leasePath(lease.name, lease.table)
      if (apart) globalThis.open(path, '_blank', 'noopener')
      else if (mayLeave()) router.push(path)
    },
    [router],
  )
  useListKeys({
    enabled: !hasDialog(params),
    rows,
    cursorKey,
    moveTo: (to) => {
      moveTo(to)
      // Not to nowhere: from there Tab begins at the top of the page.
      if (to === null) document.getElementById('main')?.focus()
    },
    open: (row) => openPage(row, false),
    release: (row) =>
      mayRelease &&
      lock === null &&
      !isStale &&
      isAddressable(row.lease.name) &&
      releaseLock(row) === null &&
      openRelease(row),
    search: () => {
      searchRef.current?.focus()
      searchRef.current?.select()
    },
    help: () => change({ help: '1' }),
    attention: () => mayLeave() && router.push(attentionPath(view.table)),
    pause: () => list.pause(paused === null),
    filter: (state) => change(statePatch(state)),
    toEdge,
    columns: () => document.getElementById(columnsButtonId)?.click(),
    copyName: ({ lease }) => copy(lease.name, 'the name'),
    copyLink: () => copy(location.href, 'the link of this view'),
  })

  // Another view has other rows under the cursor, and is read from its first row on.
  const readKey = useRef(key)
  useEffect(() => {
    if (readKey.current !== key) moveTo(null)
  }, [key, moveTo])
  useLayoutEffect(() => {
    if (!isHere || readKey.current === key) return
    readKey.current = key
    if ((table.current?.getBoundingClientRect().top ?? 0) < 0) table.current?.scrollIntoView()
  }, [key, isHere])

  const isNothing = isRead && rows.length === 0 && (matching ?? 0) === 0
  const isFiltered = !isWholeTable(view) || view.states.length > 0
  const asOfMs = asOf({ paused, silence, unanswered, lost })
  const body =
    isNothing && !isFiltered && !isStale ? (
      <EmptyTable table={view.table} paused={paused} scan={scan} change={change} lock={lock} />
    ) : (
      <>
        <ListHead
          ref={searchRef}
          view={view}
          counts={counts}
          countedKey={shown.key}
          lock={lock}
          change={change}
          toRows={toRows}
        />
        {view.table !== undefined && isUnknownTable(error) ? (
          <UnknownTable table={view.table} />
        ) : error !== null && shown.key === null ? (
          <FailedPage error={error} isFinal={isFinal} retry={list.retry} busy={false} />
        ) : isNothing && !isStale ? (
          <NoMatch
            view={view}
            paused={paused}
            scan={scan}
            onClear={() => {
              change(noFilter)
              // The button that was pressed goes.
              searchRef.current?.focus()
            }}
          />
        ) : (
          <>
            {silence !== null && lost === null && (
              <StalePage error={error} sinceMs={silence.sinceMs} isFinal={isFinal} retry={list.retry} />
            )}
            {unanswered !== null && silence === null && lost === null && (
              <UnansweredTable sinceMs={unanswered.sinceMs} isRefused={unanswered.isRefused} />
            )}
            <LeaseRows
              ref={table}
              view={view}
              hidden={hidden}
              rows={rows}
              offset={offset}
              below={below}
              matching={matching}
              heightPx={heightPx}
              loading={!isRead && rows.length === 0}
              busy={!isHere}
              still={isStale ? 'stale' : paused !== null ? 'paused' : null}
              lock={isStale && lock === null ? 'the rows are stale' : lock}
              cursorKey={cursorKey}
              stopKey={stopKey}
              change={change}
              onRelease={openRelease}
              onOpen={openPage}
              onFocus={onFocus}
              onHold={list.hold}
              onMissed={() => say(missedText)}
              register={register}
            />
            <ListFoot
              rows={rows}
              isRead={isRead}
              offset={offset}
              matching={matching}
              asOfMs={asOfMs}
              said={said}
            />
          </>
        )}
      </>
    )
  // The dialogs keep their places whatever the page shows: the first lease must not close the one that made it.
  return (
    <>
      {body}
      <ListDialogs
        params={params}
        view={view}
        counts={haveSameCounts(shown.key, view) ? counts : null}
        lock={lock}
        seen={seen}
        onClose={close}
      />
    </>
  )
}
