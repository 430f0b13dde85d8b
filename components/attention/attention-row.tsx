// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, at 390 px of several lines, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the link in a row is what keys press
'use client'

import { type MouseEvent, memo } from 'react'
import type { LiveRow } from '../../lib/client/watch/live-board.ts'
import { isAddressable, leasePath, unaddressable } from '../../lib/contract/path.ts'
import { StateWord } from '../leases/row/lease-state-map.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { Icon } from '../ui/control/icon.tsx'
import { settle } from '../ui/control/settle.ts'
import { RowName } from '../ui/text/row-name.tsx'
import { unseenCharacters } from '../ui/text/unseen-characters.ts'
import { troubleOf } from './trouble-words.tsx'

interface AttentionRowProps {
  row: LiveRow
  /** Another row has the same leaf: this one's name is shown whole. */
  isAlike: boolean
  cursor: boolean
  isStop: boolean
  isStill: boolean
  onOpen: (row: LiveRow, apart: boolean) => void
  onFocus: (key: string | null) => void
  register: (key: string, link: HTMLElement | null) => void
}

/** One lease in trouble: what is wrong with it, and what to do. */
export const AttentionRow = memo(function AttentionRow({
  row,
  isAlike,
  cursor,
  isStop,
  isStill,
  onOpen,
  onFocus,
  register,
}: AttentionRowProps) {
  const { lease, state } = row
  const { wrong, howLong, toDo } = troubleOf(row, isStill)
  const hasPage = isAddressable(lease.name)
  const openIt = (event: MouseEvent) => {
    const onControl = (event.target as Element).closest('a, button') !== null
    if (!hasPage || onControl || getSelection()?.isCollapsed === false) return
    onOpen(row, event.metaKey || event.ctrlKey)
  }
  return (
    <div
      role="row"
      data-state={state}
      className={`tall arrived${cursor ? ' cursor' : ''}${hasPage ? ' opens' : ''}`}
      aria-current={cursor || undefined}
      onClick={openIt}
      onAnimationEnd={settle}
      onFocus={() => onFocus(row.key)}
      onBlur={() => onFocus(null)}
    >
      <span role="cell" className="state">
        <StateWord state={state} />
      </span>
      <span role="cell" className="nm cut" title={hasPage ? lease.name : unaddressable}>
        {hasPage ? (
          <PageLink
            href={leasePath(lease.name, lease.table)}
            ref={(link) => register(row.key, link)}
            tabIndex={isStop ? 0 : -1}
            // In pieces, a name would be read with spaces between them.
            aria-label={unseenCharacters(lease.name).length === 0 ? lease.name : undefined}
          >
            <RowName name={lease.name} isWhole={isAlike} />
          </PageLink>
        ) : (
          <span title={unaddressable}>
            <RowName name={lease.name} isWhole={isAlike} /> <span className="dim sans">cannot be opened</span>
          </span>
        )}
      </span>
      <span role="cell">{wrong}</span>
      <span role="cell" className="mut">
        {howLong}
      </span>
      <span role="cell" className="mut">
        {toDo}
      </span>
      <span role="cell" className="dim">
        {hasPage && <Icon name="right" />}
      </span>
    </div>
  )
})
