// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the link and the button in a row take the focus, not the row
'use client'

import type { Ref } from 'react'
import type { Row } from '../../lib/client/row-board.ts'
import { LeaseRow } from './lease-row.tsx'
import { usePointerHold } from './use-pointer-hold.ts'

interface LeaseRowsProps {
  ref: Ref<HTMLDivElement>
  rows: readonly Row[]
  loading: boolean
  /** Other rows have been asked for; these are still the ones before. */
  busy: boolean
  stale: boolean
  lock: string | null
  cursorKey: string | null
  /** The row that Tab reaches. */
  stopKey: string | null
  onRelease: (row: Row) => void
  onOpen: (row: Row, apart: boolean) => void
  onFocus: (key: string | null) => void
  /** While a pointer is over the rows none may change its place. */
  onHold: (on: boolean) => void
  register: (key: string, link: HTMLElement | null) => void
}

const heads = [
  ['Name', 'c-name'],
  ['Owner', 'c-owner'],
  ['Value', 'c-val'],
  ['State', 'c-state'],
  ['Time left', 'c-time'],
  ['Version', 'c-tok'],
  ['Read', 'c-read'],
] as const

const awaited = ['a', 'b', 'c', 'd', 'e', 'f']

/** The table itself. */
export function LeaseRows({
  ref,
  rows,
  loading,
  busy,
  stale,
  lock,
  cursorKey,
  stopKey,
  onRelease,
  onOpen,
  onFocus,
  onHold,
  register,
}: LeaseRowsProps) {
  const pointer = usePointerHold(onHold)
  return (
    <div
      ref={ref}
      className="rows"
      role="table"
      aria-label="Leases"
      aria-busy={loading || busy}
      data-stale={stale || undefined}
      {...pointer}
    >
      <div role="row" className="th">
        {heads.map(([text, column]) => (
          <span key={text} role="columnheader" className={column}>
            {text}
          </span>
        ))}
        <span role="columnheader">
          <span className="vh">Actions</span>
        </span>
      </div>
      {loading
        ? awaited.map((key) => <AwaitedRow key={key} />)
        : rows.map((row) => (
            <LeaseRow
              key={row.key}
              row={row}
              cursor={row.key === cursorKey}
              isStop={row.key === stopKey}
              stale={stale}
              lock={lock}
              onRelease={onRelease}
              onOpen={onOpen}
              onFocus={onFocus}
              register={register}
            />
          ))}
    </div>
  )
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
