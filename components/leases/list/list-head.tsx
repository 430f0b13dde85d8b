'use client'

import type { Ref } from 'react'
import { countText } from '../../../lib/client/time/time-text.ts'
import type { LeaseView } from '../../../lib/client/view/lease-view.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import type { WatchCounts } from '../../../lib/contract/leases/watch.ts'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { TableSwitch } from '../address/table-switch.tsx'
import type { UrlChange } from '../address/use-url-state.ts'
import { ColumnsMenu } from '../columns/columns-menu.tsx'
import { ViewsMenu } from '../views/views-menu.tsx'
import { haveSameCounts } from './all-count.ts'
import { SearchField, type SearchFieldProps } from './search-field.tsx'
import { StateChips } from './state-chips.tsx'

interface ListHeadProps {
  ref: Ref<HTMLInputElement>
  view: LeaseView
  counts: WatchCounts | null
  /** The view whose counts they are, by `viewKey`. */
  countedKey: string | null
  lock: string | null
  change: (change: UrlChange, how?: 'push' | 'replace') => void
  toRows: SearchFieldProps['toRows']
}

export function ListHead({ ref, view, counts, countedKey, lock, change, toRows }: ListHeadProps) {
  return (
    <>
      <div className="head">
        <h1>Leases</h1>
        <TableSwitch table={view.table} change={change} />
        <Total view={view} counts={counts} countedKey={countedKey} />
        <Filter label="Name begins with" text={view.prefix} onClear={() => change({ prefix: undefined })} />
        <Filter label="Owner" text={view.owner} onClear={() => change({ owner: undefined })} />
        <div className="push">
          <SearchField ref={ref} q={view.q} change={change} toRows={toRows} />
          <ColumnsMenu />
          <ViewsMenu />
          <button type="button" className="btn quiet x-wide" onClick={() => change({ export: '1' })}>
            <Icon name="get" />
            Export
          </button>
          {may(useSession(), endpoints.putLock) && (
            <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ new: '1' })}>
              New lease
            </LockedButton>
          )}
        </div>
      </div>
      <StateChips view={view} counts={counts} countedKey={countedKey} change={change} />
    </>
  )
}

/** How many leases there are; of a part of them, how many of how many. */
function Total({ view, counts, countedKey }: Pick<ListHeadProps, 'view' | 'counts' | 'countedKey'>) {
  if (counts === null) return null
  const { matching, total } = counts
  const isPart = view.prefix !== '' || view.q !== '' || view.owner !== '' || view.states.length > 0
  return (
    // Until this view is counted the place of the text stays, and nothing is read out.
    <span className={haveSameCounts(countedKey, view) ? 'mut' : 'mut invisible'} role="status">
      {isPart ? `${countText(matching)} of ${countText(total)}` : countText(total)}
      {total === 1 ? ' lease' : ' leases'}
    </span>
  )
}

/** A filter that a link brought along, and the way out of it. */
function Filter({ label, text, onClear }: { label: string; text: string; onClear: () => void }) {
  if (text === '') return null
  return (
    <span className="token">
      <span className="mut">{label}</span>
      <bdi className="seen mono cut">
        <SeenText text={text} />
      </bdi>
      <button
        type="button"
        className="btn quiet sm sq"
        aria-label={`Remove the filter ${label} ${text}`}
        onClick={onClear}
      >
        <Icon name="cross" />
      </button>
    </span>
  )
}
