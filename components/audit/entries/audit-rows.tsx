// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import type { AuditChain } from '../../../lib/contract/audit.ts'
import { type Act, partKey } from './act-of.ts'
import { AuditRow } from './audit-row.tsx'

interface AuditRowsProps {
  chain: AuditChain
  acts: readonly Act[]
  loading: boolean
  /** Other acts have been asked for; these are still the ones before. */
  busy: boolean
  stale: boolean
  /** The key of an entry: its act is open. */
  open: string | undefined
  onOpen: (key: string | undefined) => void
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

/** The log itself, newest act first. */
export function AuditRows({ chain, acts, loading, busy, stale, open, onOpen }: AuditRowsProps) {
  return (
    <div
      className="rows log"
      role="table"
      aria-label="Audit log"
      aria-busy={loading || busy}
      data-chain={chain}
      data-stale={stale || undefined}
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
        : acts.map((act) => {
            const isOpen = act.some((part) => partKey(part) === open)
            return (
              <AuditRow
                key={act[0].event.id}
                act={act}
                open={isOpen}
                onToggle={() => onOpen(isOpen ? undefined : partKey(act[0]))}
              />
            )
          })}
    </div>
  )
}
