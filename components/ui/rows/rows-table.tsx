// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import type { ReactNode } from 'react'

/** The text over a column, and the column's class. */
type Head = readonly [text: string, column?: string]

interface RowsTableProps {
  label: string
  /** Its class, which lays its columns out: app/styles. */
  kind: string
  heads: readonly Head[]
  /** The head of a last column without a text in sight. */
  lastHead?: string
  /** Its rows are not known yet: empty ones stand in their places. */
  loading: boolean
  awaitedRows: number
  /** Other rows have been asked for; these are still the ones before. */
  busy?: boolean
  stale: boolean
  /** Of the audit log: how far its chain can be believed. */
  chain?: string
  children: ReactNode
}

/** A table of rows with one line of heads. */
export function RowsTable({
  label,
  kind,
  heads,
  lastHead,
  loading,
  awaitedRows,
  busy = false,
  stale,
  chain,
  children,
}: RowsTableProps) {
  return (
    <div
      className={`rows ${kind}`}
      role="table"
      aria-label={label}
      aria-busy={loading || busy}
      data-chain={chain}
      data-stale={stale || undefined}
    >
      <HeadRow heads={heads} last={lastHead} />
      {loading
        ? Array.from({ length: awaitedRows }, (_, index) => String(index)).map((key) => (
            <div key={key} role="row" className="await">
              {heads.map(([text, column]) => (
                <span key={text} role="cell" className={column} />
              ))}
            </div>
          ))
        : children}
    </div>
  )
}

/** @param last the head of a last column, which is read out and not seen */
export function HeadRow({ heads, last }: { heads: readonly Head[]; last: string | undefined }) {
  return (
    <div role="row" className="th">
      {heads.map(([text, column]) => (
        <span key={text} role="columnheader" className={column}>
          {text}
        </span>
      ))}
      {last !== undefined && (
        <span role="columnheader">
          <span className="vh">{last}</span>
        </span>
      )}
    </div>
  )
}
