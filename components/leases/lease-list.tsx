'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isUnknownTable, type PageOfLeases } from '../../lib/client/queries.ts'
import type { Row } from '../../lib/client/row-board.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { LeaseList as LeaseAnswer } from '../../lib/contract/leases/lease.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import { may } from '../shell/may.ts'
import { isServerThere } from '../shell/page-link.tsx'
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
  const [cursorKey, setCursorKey] = useState<string | null>(null)
  const links = useRef(new Map<string, HTMLElement>())

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
  const register = useCallback((key: string, link: HTMLElement | null) => {
    if (link) links.current.set(key, link)
    else links.current.delete(key)
  }, [])

  useListKeys({
    enabled: !dialogOpen,
    rows,
    cursorKey,
    moveTo: (key) => {
      setCursorKey(key)
      if (key !== null) links.current.get(key)?.focus()
    },
    open: ({ lease }) => isServerThere() && router.push(leasePath(lease.name, lease.table)),
    release: (row) => mayRelease && lock === null && openRelease(row),
    search: () => searchRef.current?.select(),
    help: () => change({ help: '1' }),
  })
  // Another page has other rows under the cursor.
  useEffect(() => setCursorKey(null), [page])

  const nothing =
    query.isSuccess && !query.isPlaceholderData && rows.length === 0 && page.cursor === undefined
  const body =
    nothing && page.prefix === '' && !stale ? (
      <EmptyTable table={page.table} change={change} lock={lock} />
    ) : (
      <>
        <ListHead ref={searchRef} page={page} lock={lock} change={change} />
        {page.table !== undefined && isUnknownTable(query.error) ? (
          <UnknownTable table={page.table} />
        ) : query.isError && query.data === undefined ? (
          <FailedPage error={query.error} retry={() => query.refetch()} busy={query.isFetching} />
        ) : nothing ? (
          <NoMatch
            page={page}
            onClear={() => change({ prefix: undefined, cursor: undefined, page: undefined })}
          />
        ) : (
          <>
            {query.isError && lost === null && <StalePage error={query.error} />}
            <LeaseRows
              rows={rows}
              loading={query.data === undefined || (query.isPlaceholderData && rows.length === 0)}
              busy={query.isPlaceholderData}
              stale={stale}
              lock={stale && lock === null ? 'this page could not be read' : lock}
              cursorKey={cursorKey}
              onRelease={openRelease}
              onHold={hold}
              register={register}
            />
            <ListFoot
              page={page}
              answer={query.isPlaceholderData ? undefined : query.data}
              rows={rows}
              stale={stale}
              change={change}
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
