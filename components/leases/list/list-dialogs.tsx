'use client'

import type { LeaseView } from '../../../lib/client/view/lease-view.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { WatchCounts } from '../../../lib/contract/leases/watch.ts'
import { isAddressable } from '../../../lib/contract/path.ts'
import { later } from '../../ui/control/later.tsx'

const ReleaseDialog = later(async () => (await import('../../release/release-dialog.tsx')).ReleaseDialog)
const NewLeaseDialog = later(async () => (await import('../new-lease/new-lease-dialog.tsx')).NewLeaseDialog)
const HelpDialog = later(async () => (await import('./help-dialog.tsx')).HelpDialog)
const ViewsDialog = later(async () => (await import('../views/views-dialog.tsx')).ViewsDialog)
const ExportDialog = later(async () => (await import('./export-dialog.tsx')).ExportDialog)

interface ListDialogsProps {
  params: URLSearchParams
  view: LeaseView
  counts: WatchCounts | null
  lock: string | null
  /** The lease whose row was pressed last, as that row showed it; null: none was. */
  seen: Lease | null
  onClose: () => void
}

/** The lease that the URL releases; null: none. */
export function releasedName(params: URLSearchParams): string | null {
  const name = params.get('release')
  return name !== null && isAddressable(name) ? name : null
}

export const hasDialog = (params: URLSearchParams): boolean =>
  releasedName(params) !== null || ['new', 'help', 'export', 'views'].some((name) => params.has(name))

/** What closes them all. */
export const noDialog = {
  release: undefined,
  releaseTable: undefined,
  new: undefined,
  help: undefined,
  export: undefined,
  views: undefined,
}

/** The dialogs of the list, as the URL has them. */
export function ListDialogs({ params, view, counts, lock, seen, onClose }: ListDialogsProps) {
  const release = releasedName(params)
  return (
    <>
      {params.has('new') && <NewLeaseDialog open onClose={onClose} lock={lock} table={view.table} />}
      {params.has('help') && <HelpDialog open onClose={onClose} />}
      {params.has('views') && <ViewsDialog onClose={onClose} />}
      {params.has('export') && (
        <ExportDialog view={view} matching={counts?.matching ?? null} onClose={onClose} />
      )}
      {release !== null && (
        <ReleaseDialog
          name={release}
          table={params.get('releaseTable') ?? undefined}
          seen={seen?.name === release ? seen : null}
          onClose={onClose}
        />
      )}
    </>
  )
}
