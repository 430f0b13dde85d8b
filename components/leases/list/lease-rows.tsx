// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link and the button in a row take the focus, not the row
'use client'

import { type RefObject, useMemo } from 'react'
import type { Column } from '../../../lib/client/view/columns.ts'
import type { LeaseView, SortOrder } from '../../../lib/client/view/lease-view.ts'
import { hasLeft, type LiveRow } from '../../../lib/client/watch/live-board.ts'
import type { LeaseSort } from '../../../lib/contract/leases/list-order.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { alikeNames } from '../../ui/text/row-name.tsx'
import type { UrlPatch } from '../address/use-url-state.ts'
import { useSteadyRows } from '../hold/use-steady-rows.ts'
import { LeaseRow } from '../row/lease-row.tsx'

interface LeaseRowsProps {
  ref: RefObject<HTMLDivElement | null>
  view: LeaseView
  /** The columns that are left out. */
  hidden: readonly Column[]
  rows: readonly LiveRow[]
  /** The number of the first of them, in the whole view. */
  offset: number
  /** How many rows of the view stand below them. */
  below: number
  /** The rows of the whole view; null: not known yet. */
  matching: number | null
  /** Of a row that is not drawn; 0: not known yet. */
  heightPx: number
  loading: boolean
  /** Other rows have been asked for; these are still the ones before. */
  busy: boolean
  still: 'stale' | 'paused' | null
  lock: string | null
  cursorKey: string | null
  /** The row that Tab reaches. */
  stopKey: string | null
  change: (patch: UrlPatch) => void
  onRelease: (row: LiveRow) => void
  onOpen: (row: LiveRow, apart: boolean) => void
  onFocus: (key: string | null) => void
  /** While a pointer or the focus is on the rows none may change its place. */
  onHold: (on: boolean) => void
  /** A press did nothing, because the row under it had just come there. */
  onMissed: () => void
  register: (key: string, link: HTMLElement | null) => void
}

const heads: readonly (readonly [text: string, column: string, sort?: LeaseSort])[] = [
  ['Name', 'c-name', 'name'],
  ['Owner', 'c-owner', 'owner'],
  ['Value', 'c-val'],
  ['State', 'c-state', 'trouble'],
  ['Time left', 'c-time', 'left'],
  ['Held for', 'c-since', 'held'],
  ['Version', 'c-tok'],
  ['Read', 'c-read'],
]

const awaited = ['a', 'b', 'c', 'd', 'e', 'f']

/** The table itself: the rows of the window, and the space of those above and below it. */
export function LeaseRows({
  ref,
  view,
  hidden,
  rows,
  offset,
  below,
  matching,
  heightPx,
  loading,
  busy,
  still,
  lock,
  cursorKey,
  stopKey,
  change,
  onRelease,
  onOpen,
  onFocus,
  onHold,
  onMissed,
  register,
}: LeaseRowsProps) {
  const steady = useSteadyRows(ref, onHold, onMissed)
  const alike = useMemo(() => alikeNames(rows.map(({ lease }) => lease.name)), [rows])
  return (
    <div
      ref={ref}
      className="rows"
      role="table"
      aria-label="Leases"
      aria-busy={loading || busy}
      aria-rowcount={matching === null ? -1 : matching + 1}
      data-stale={still !== null || undefined}
      data-hide={hidden.length === 0 ? undefined : hidden.join(' ')}
      {...steady}
    >
      <div role="row" className="th">
        {heads.map(([text, column, sort]) => (
          <Head key={text} text={text} column={column} sort={sort} view={view} change={change} />
        ))}
        <span role="columnheader">
          <span className="vh">Actions</span>
        </span>
      </div>
      <Space rows={offset} heightPx={heightPx} />
      {loading
        ? awaited.map((key) => <AwaitedRow key={key} />)
        : rows.map((row, i) => (
            <LeaseRow
              key={row.key}
              row={row}
              index={offset + i}
              isAlike={alike.has(row.lease.name)}
              cursor={row.key === cursorKey}
              isStop={row.key === stopKey}
              still={still ?? (hasLeft(row) ? 'stale' : null)}
              lock={lock ?? (hasLeft(row) ? 'it is not in this part of the list any more' : null)}
              onRelease={onRelease}
              onOpen={onOpen}
              onFocus={onFocus}
              register={register}
            />
          ))}
      <Space rows={below} heightPx={heightPx} />
    </div>
  )
}

interface HeadProps extends Pick<LeaseRowsProps, 'view' | 'change'> {
  text: string
  column: string
  sort: LeaseSort | undefined
}

/** The head of a column sorts the list; a second press turns the order round. */
function Head({ text, column, sort, view, change }: HeadProps) {
  if (sort === undefined)
    return (
      <span role="columnheader" className={column}>
        {text}
      </span>
    )
  const isOn = view.sort === sort
  const turned: SortOrder = isOn && view.order === 'asc' ? 'desc' : 'asc'
  return (
    <span
      role="columnheader"
      className={isOn ? `${column} on` : column}
      aria-sort={isOn ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        title={sort === 'trouble' ? 'The worst first' : undefined}
        onClick={() =>
          change({
            sort: sort === 'trouble' ? undefined : sort,
            order: turned === 'asc' ? undefined : turned,
          })
        }
      >
        {text}
        {isOn && <Icon name={view.order === 'asc' ? 'up' : 'down'} />}
      </button>
    </span>
  )
}

/** The place of rows that are not drawn. Written by script: a style in the page's HTML would be refused by its policy. */
function Space({ rows, heightPx }: { rows: number; heightPx: number }) {
  if (rows <= 0 || heightPx === 0) return null
  return <div className="space" aria-hidden="true" style={{ height: rows * heightPx }} />
}

/** A row before the first answer: dashed, because nothing is there yet. */
function AwaitedRow() {
  return (
    <div role="row" className="await">
      {heads.map(([text, column]) => (
        <span key={text} role="cell" className={column} />
      ))}
    </div>
  )
}
