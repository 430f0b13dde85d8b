// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: nothing in a row is pressed
'use client'

import type { ShownFinding } from '../../lib/contract/leases/doctor.ts'
import { Instant } from '../shell/time/instant.tsx'
import { RowsTable } from '../ui/rows/rows-table.tsx'
import { checkTitles } from './check-titles.ts'
import { VerdictText, verdictLooks } from './verdict-look.tsx'

const heads = [
  ['Verdict', 'c-verdict'],
  ['Check', 'c-check'],
  ['Table', 'c-table'],
  ['What was found, and what to do', 'c-found'],
  ['When', 'c-when'],
] as const

interface FindingRowsProps {
  findings: readonly ShownFinding[]
  loading: boolean
  stale: boolean
}

/** Every finding, the worst first. */
export function FindingRows({ findings, loading, stale }: FindingRowsProps) {
  return (
    <RowsTable label="Findings" kind="findings" heads={heads} loading={loading} awaitedRows={5} stale={stale}>
      {findings.map((finding) => (
        <FindingRow key={`${finding.check} ${finding.table}`} finding={finding} />
      ))}
    </RowsTable>
  )
}

function FindingRow({ finding: { verdict, check, table, found, whatToDo, at } }: { finding: ShownFinding }) {
  return (
    <div role="row" data-tone={verdictLooks[verdict].tone}>
      <span role="cell" className="c-verdict">
        <VerdictText verdict={verdict} />
      </span>
      <span role="cell" className="c-check">
        {checkTitles[check]}
      </span>
      <span role="cell" className="c-table cut">
        {table === null ? <span className="dim">cluster</span> : <span className="mono">{table}</span>}
      </span>
      <span role="cell" className="c-found">
        <span>{found}</span>
        {whatToDo !== null && <span className="mut">{whatToDo}</span>}
      </span>
      <span role="cell" className="c-when mut">
        <Instant at={at} />
      </span>
    </div>
  )
}
