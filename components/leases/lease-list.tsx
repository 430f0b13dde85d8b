'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isUnknownTable, type PageOfLeases } from '../../lib/client/queries.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { LeaseList as LeaseAnswer } from '../../lib/contract/leases/lease.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import { may } from '../shell/may.ts'
import { mayLeave } from '../shell/page-link.tsx'
import { useSession } from '../shell/session-context.tsx'
import { useLockReason, useLost } from '../shell/use-connection.ts'
import { later } from '../ui/later.tsx'
import { FailedPage, StalePage } from './failed-page.tsx'
import { tableParam } from './lease-link.ts'
import { LeaseRows } from './lease-rows.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { NoMatch } from './no-match.tsx'
import { UnknownTable } from './unknown-table.tsx'
import { useListKeys } from './use-list-keys.ts'
import { useRowCursor } from './use-row-cursor.ts'
import { useTable } from './use-table.ts'
import { useUrlState } from './use-url-state.ts'
import { useWatchedPage } from './use-watched-page.ts'

const ReleaseDialog = later(async () => (await import('../release/release-dialog.tsx')).ReleaseDialog)
const NewLeaseDialog = later(async () => (await import('./new-lease-dialog.tsx')).NewLeaseDialog)
const HelpDialog = later(async () => (await import('./help-dialog.tsx')).HelpDialog)
const EmptyTable = later(async () => (await import('./empty-table.tsx')).EmptyTable)

/**
 * The leases, one page at a time. `first`: the rows that the page's HTML has; null: they are asked for. Prefix,
 * cursor, page number and open dialogs stand in the URL.
 */
export function LeaseList({ first }: { first: LeaseAnswer | null }) {
  const { params, change } = useUrlState()
  const router = useRouter()
  const page = usePage(params)
  const lost = useLost()
  const lostLock = useLockReason()
  const { rows, query, hold } = useWatchedPage(page, lost !== null, first)
  const { lock: tableLock } = useTable(page.table)
  const session = useSession()
  const mayRelease = may(session, endpoints.planRelease)
  const lock = lostLock ?? tableLock ?? (may(session, endpoints.putLock) ? null : 'your role changes nothing')
  const stale = lost !== null || query.isError
  const searchRef = useRef<HTMLInputElement>(null)
  const { cursorKey, stopKey, moveTo, onFocus, register } = useRowCursor(rows)

  const release = params.get('release')
  const dialogOpen = (release !== null && isAddressable(release)) || params.has('new') || params.has('help')
  const close = useCallback(
    () => change({ release: undefined, releaseTable: undefined, new: undefined, help: undefined }),
    [change],
  )
  const openRelease = useCallback(
    ({ lease }: Row) => change({ release: lease.name, releaseTable: tableParam(lease.table) }),
    [change],
  )
  const openPage = useCallback(
    ({ lease }: Row, apart: boolean) => {
      const path = leasePath(lease.name, lease.table)
      if (apart) window.open(path, '_blank', 'noopener')
      else if (mayLeave()) router.push(path)
    },
    [router],
  )
  const toSearch = () => {
    searchRef.current?.focus()
    searchRef.current?.select()
  }

  useListKeys({
    enabled: !dialogOpen,
    rows,
    cursorKey,
    moveTo: (key) => {
      moveTo(key)
      // Not to nowhere: from there Tab begins at the top of the page.
      if (key === null) document.getElementById('main')?.focus()
    },
    open: (row) => openPage(row, false),
    release: (row) => mayRelease && lock === null && openRelease(row),
    search: toSearch,
    help: () => change({ help: '1' }),
  })
  // Another page has other rows under the cursor.
  useEffect(() => moveTo(null), [page, moveTo])

  const isHere = query.isSuccess && !query.isPlaceholderData
  const [wantedPrefix, setWantedPrefix] = useState<string | null>(null)
  const toRows = useCallback(
    (prefix?: string) => {
      if (prefix !== undefined) setWantedPrefix(prefix)
      else moveTo(stopKey)
    },
    [moveTo, stopKey],
  )
  // The rows may still be on their way. A reader who has moved on is not called back.
  useEffect(() => {
    if (wantedPrefix !== page.prefix || !isHere) return
    const first = rows.find(({ lease }) => lease.name.startsWith(wantedPrefix))
    if (first === undefined && query.data?.data.leases.length !== 0) return
    setWantedPrefix(null)
    if (first !== undefined && document.activeElement === searchRef.current) moveTo(first.key)
  }, [wantedPrefix, page, isHere, rows, query.data, moveTo])

  const table = useRef<HTMLDivElement>(null)
  const turned = useRef(false)
  useLayoutEffect(() => {
    if (!isHere || !turned.current) return
    turned.current = false
    if ((table.current?.getBoundingClientRect().top ?? 0) < 0) table.current?.scrollIntoView()
  }, [page, isHere])

  // Of another search the rows come a moment after its answer: the answer too has to be empty. Otherwise the page of an
  // empty table would stand there for that moment, without the search field and its focus.
  const nothing =
    query.isSuccess &&
    !query.isPlaceholderData &&
    rows.length === 0 &&
    query.data.data.leases.length === 0 &&
    page.cursor === undefined
  const body =
    nothing && page.prefix === '' && !stale ? (
      <EmptyTable table={page.table} change={change} lock={lock} />
    ) : (
      <>
        <ListHead ref={searchRef} page={page} lock={lock} change={change} toRows={toRows} />
        {page.table !== undefined && isUnknownTable(query.error) ? (
          <UnknownTable table={page.table} />
        ) : query.isError && query.data === undefined ? (
          <FailedPage error={query.error} retry={() => query.refetch()} busy={query.isFetching} />
        ) : nothing ? (
          <NoMatch
            page={page}
            onClear={() => {
              change({ prefix: undefined, cursor: undefined, page: undefined })
              // The button that was pressed goes.
              searchRef.current?.focus()
            }}
          />
        ) : (
          <>
            {query.isError && lost === null && <StalePage error={query.error} />}
            <LeaseRows
              ref={table}
              rows={rows}
              loading={query.data === undefined || (query.isPlaceholderData && rows.length === 0)}
              busy={query.isPlaceholderData}
              stale={stale}
              lock={stale && lock === null ? 'this page could not be read' : lock}
              cursorKey={cursorKey}
              stopKey={stopKey}
              onRelease={openRelease}
              onOpen={openPage}
              onFocus={onFocus}
              onHold={hold}
              register={register}
            />
            <ListFoot
              page={page}
              answer={query.isPlaceholderData ? undefined : query.data}
              rows={rows}
              stale={stale}
              change={change}
              onTurn={() => {
                turned.current = true
              }}
            />
          </>
        )}
      </>
    )
  // The dialogs keep their places whatever the page shows: the first lease must not close the one that made it.
  return (
    <>
      {body}
      {params.has('new') && <NewLeaseDialog open onClose={close} lock={lock} table={page.table} />}
      {params.has('help') && <HelpDialog open onClose={close} />}
      {release !== null && isAddressable(release) && (
        <ReleaseDialog name={release} table={params.get('releaseTable') ?? undefined} onClose={close} />
      )}
    </>
  )
}

function usePage(params: URLSearchParams): PageOfLeases {
  const prefix = params.get('prefix') ?? ''
  const cursor = params.get('cursor') ?? undefined
  const table = tableParam(params.get('table') ?? 'leases')
  return useMemo(() => ({ prefix, cursor, table }), [prefix, cursor, table])
}
