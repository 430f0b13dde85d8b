// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: nothing in a row is pressed
'use client'

import type { ShownFinding } from '../../lib/contract/leases/doctor.ts'
import { Instant } from '../shell/time/instant.tsx'
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
    <div
      className="rows findings"
      role="table"
      aria-label="Findings"
      aria-busy={loading}
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
        ? ['a', 'b', 'c', 'd', 'e'].map((key) => (
            <div key={key} role="row" className="await">
              {heads.map(([text, column]) => (
                <span key={text} role="cell" className={column} />
              ))}
            </div>
          ))
        : findings.map((finding) => (
            <FindingRow key={`${finding.check} ${finding.table}`} finding={finding} />
          ))}
    </div>
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
