// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import type { AuditChain, AuditEvent, ShownEntry } from '../../lib/contract/audit.ts'
import { usePointerHold } from '../leases/use-pointer-hold.ts'
import { AuditRow } from './audit-row.tsx'
import { entryKey, pendingKey } from './entry-key.ts'

interface AuditRowsProps {
  chain: AuditChain
  entries: readonly ShownEntry[]
  pending: readonly AuditEvent[]
  loading: boolean
  /** Other entries have been asked for; these are still the ones before. */
  busy: boolean
  stale: boolean
  /** The key of the entry that is open. */
  open: string | undefined
  onOpen: (key: string | undefined) => void
  /** While a pointer or the focus is on the rows, none may change its place. */
  onPointer: (on: boolean) => void
  onFocus: (on: boolean) => void
}

const heads = [
  ['When', 'c-when'],
  ['Who', 'c-who'],
  ['What', 'c-what'],
  ['On what', 'c-on'],
  ['Outcome', 'c-out'],
  ['Reason', 'c-why'],
] as const

const awaited = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The log itself: what is not written yet first, then newest first. */
export function AuditRows({
  chain,
  entries,
  pending,
  loading,
  busy,
  stale,
  open,
  onOpen,
  onPointer,
  onFocus,
}: AuditRowsProps) {
  const pointer = usePointerHold(onPointer)
  return (
    <div
      className="rows log"
      role="table"
      aria-label="Audit log"
      aria-busy={loading || busy}
      data-chain={chain}
      data-stale={stale || undefined}
      onFocus={() => onFocus(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onFocus(false)}
      {...pointer}
    >
      <div role="row" className="th">
        {heads.map(([text, column]) => (
          <span key={text} role="columnheader" className={column}>
            {text}
          </span>
        ))}
      </div>
      {loading
        ? awaited.map((key) => (
            <div key={key} role="row" className="await">
              {heads.map(([text, column]) => (
                <span key={text} role="cell" className={column} />
              ))}
            </div>
          ))
        : [
            ...pending.map((event) => ({ key: pendingKey(event), event, entry: null })),
            ...entries.map((entry) => ({ key: entryKey(entry), event: entry, entry })),
          ].map(({ key, event, entry }) => (
            <AuditRow
              key={key}
              event={event}
              entry={entry}
              open={key === open}
              onToggle={() => onOpen(key === open ? undefined : key)}
            />
          ))}
    </div>
  )
}
