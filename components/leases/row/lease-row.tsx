// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, at 390 px of three lines, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link and the button in a row take the focus, not the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the link in a row is what keys press
'use client'

import { type MouseEvent, memo } from 'react'
import type { LiveRow } from '../../../lib/client/watch/live-board.ts'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { isAddressable, leasePath, unaddressable } from '../../../lib/contract/path.ts'
import { startOf } from '../../../lib/contract/text-size.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { may } from '../../shell/session/may.ts'
import { useSession } from '../../shell/session/session-context.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { settle } from '../../ui/control/settle.ts'
import { RowName } from '../../ui/text/row-name.tsx'
import { unseenCharacters } from '../../ui/text/unseen-characters.ts'
import { OwnerText, ValueText } from './cell-text.tsx'
import { HeldFor } from './held-for.tsx'
import { LeaseBar } from './lease-bar.tsx'
import { StateWord } from './lease-state-map.tsx'
import { ReadPill } from './read-pill.tsx'
import { releaseLock } from './release-lock.ts'
import { TimeLeft } from './time-left.tsx'

interface LeaseRowProps {
  row: LiveRow
  /** Its number in the whole view, from 0. */
  index: number
  /** Another row has the same leaf: this one's name is shown whole. */
  isAlike: boolean
  cursor: boolean
  /** The one row of the list that Tab reaches. */
  isStop: boolean
  /** Why it stands still; null: it does not. */
  still: 'stale' | 'paused' | null
  /** Why the lease cannot be released now; null: it can. */
  lock: string | null
  onRelease: (row: LiveRow) => void
  /** `apart`: in a new tab. */
  onOpen: (row: LiveRow, apart: boolean) => void
  /** The focus came into the row, or left it. */
  onFocus: (key: string | null) => void
  register: (key: string, link: HTMLElement | null) => void
}

/** One lease in the list. Drawn again only when its facts or its state change: time is written in by the ticker. */
export const LeaseRow = memo(function LeaseRow({
  row,
  index,
  isAlike,
  cursor,
  isStop,
  still,
  lock,
  onRelease,
  onOpen,
  onFocus,
  register,
}: LeaseRowProps) {
  const { lease, state } = row
  const tabIndex = isStop ? 0 : -1
  const hasPage = isAddressable(lease.name)
  const openIt = (event: MouseEvent) => {
    const onControl = (event.target as Element).closest('a, button') !== null
    // A user who selects text wants to copy it.
    if (!hasPage || onControl || getSelection()?.isCollapsed === false) return
    onOpen(row, event.metaKey || event.ctrlKey)
  }
  return (
    <div
      role="row"
      // The heads are the first.
      aria-rowindex={index + 2}
      data-state={state}
      className={`arrived${cursor ? ' cursor' : ''}${hasPage ? ' opens' : ''}`}
      aria-current={cursor || undefined}
      onClick={openIt}
      onAnimationEnd={settle}
      onFocus={() => onFocus(row.key)}
      onBlur={() => onFocus(null)}
    >
      <span role="cell" className="c-name nm cut" title={hasPage ? lease.name : unaddressable}>
        {hasPage ? (
          <PageLink
            href={leasePath(lease.name, lease.table)}
            ref={(link) => register(row.key, link)}
            tabIndex={tabIndex}
            // A screen reader would read the pieces of a name with spaces between them.
            aria-label={unseenCharacters(lease.name).length === 0 ? lease.name : undefined}
          >
            <RowName name={lease.name} isWhole={isAlike} />
          </PageLink>
        ) : (
          <span title={unaddressable} ref={(place) => register(row.key, place)} tabIndex={tabIndex}>
            <RowName name={lease.name} isWhole={isAlike} /> <span className="dim sans">cannot be opened</span>
          </span>
        )}
      </span>
      <span role="cell" className="c-owner ow cut" title={lease.owner ?? undefined}>
        <OwnerText lease={lease} />
      </span>
      <span
        role="cell"
        className="c-val va cut"
        title={lease.value === null ? undefined : startOf(lease.value, 1000)}
      >
        <ValueText lease={lease} />
      </span>
      <span role="cell" className="c-state state">
        <StateWord state={state} />
      </span>
      <span role="cell" className="c-time time">
        <LeaseBar row={row} stale={still !== null} calm />
        <TimeLeft row={row} stale={still !== null} />
      </span>
      <span role="cell" className="c-since since">
        <HeldFor row={row} stale={still !== null} />
      </span>
      <span role="cell" className="c-tok tk" title={lease.version ?? undefined}>
        {lease.version === null ? (
          <span className="dim">–</span>
        ) : (
          <>
            <span>
              <span className="dim">…</span>
              {lease.version.slice(-7)}
            </span>
            <CopyButton text={lease.version} label="Copy the version" tabIndex={tabIndex} />
          </>
        )}
      </span>
      <span role="cell" className="c-read">
        <ReadPill
          of={row}
          goneAtMs={row.goneAtMs}
          reading={row.reading}
          stale={still !== null}
          paused={still === 'paused'}
        />
      </span>
      <span role="cell" className="act">
        <ReleaseButton row={row} lock={lock ?? releaseLock(row)} tabIndex={tabIndex} onRelease={onRelease} />
      </span>
    </div>
  )
})

function ReleaseButton({
  row,
  lock,
  tabIndex,
  onRelease,
}: Pick<LeaseRowProps, 'row' | 'lock' | 'onRelease'> & { tabIndex: number }) {
  const session = useSession()
  if (!may(session, endpoints.planRelease)) return null
  if (row.state === 'gone' || !isAddressable(row.lease.name)) return null
  if (lock !== null)
    return (
      <button
        type="button"
        className="btn sm"
        tabIndex={tabIndex}
        aria-disabled="true"
        title={`Locked: ${lock}`}
      >
        <Icon name="lock" />
        Locked<span className="vh">{` ${row.lease.name}: ${lock}`}</span>
      </button>
    )
  return (
    <button type="button" className="btn sm" tabIndex={tabIndex} onClick={() => onRelease(row)}>
      Release…<span className="vh"> {row.lease.name}</span>
    </button>
  )
}
