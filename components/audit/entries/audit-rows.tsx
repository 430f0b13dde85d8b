'use client'

import type { AuditChain } from '../../../lib/contract/audit.ts'
import { RowsTable } from '../../ui/rows/rows-table.tsx'
import { type Act, hasPart, partKey } from './act-of.ts'
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

/** The log itself, newest act first. */
export function AuditRows({ chain, acts, loading, busy, stale, open, onOpen }: AuditRowsProps) {
  return (
    <RowsTable
      label="Audit log"
      kind="log"
      heads={heads}
      loading={loading}
      awaitedRows={8}
      busy={busy}
      stale={stale}
      chain={chain}
    >
      {acts.map((act) => {
        const isOpen = hasPart(act, open)
        return (
          <AuditRow
            key={act[0].event.id}
            act={act}
            open={isOpen}
            onToggle={() => onOpen(isOpen ? undefined : partKey(act[0]))}
          />
        )
      })}
    </RowsTable>
  )
}
