'use client'

import { Segments } from '../../ui/text/segments.tsx'
import { tableParam } from './lease-link.ts'
import { useTable } from './use-table.ts'
import type { UrlPatch } from './use-url-state.ts'

/** As many as stand beside each other; more of them are a list. */
const segmentsMax = 4

/** The name of the table, and links to the others if there are several. */
export function TableSwitch({
  table,
  change,
}: {
  table: string | undefined
  change: (patch: UrlPatch) => void
}) {
  const { facts, tables } = useTable(table)
  const id = table ?? 'leases'
  const go = (next: string) =>
    change({ table: tableParam(next), prefix: undefined, q: undefined, owner: undefined, state: undefined })
  // Without the table the page itself leads to those that there are.
  if (facts === undefined) return null
  if (tables.length < 2) return <TableName table={table} />
  return (
    <>
      {tables.length <= segmentsMax ? (
        <Segments
          label="Table"
          options={tables.map((each) => ({ value: each.id, text: each.id }))}
          value={id}
          onChange={go}
        />
      ) : (
        <select className="in fit" aria-label="Table" value={id} onChange={(event) => go(event.target.value)}>
          {tables.map((each) => (
            <option key={each.id} value={each.id}>
              {each.id}
            </option>
          ))}
        </select>
      )}
      <TableName table={table} />
    </>
  )
}

/** The table's own name, and whether it is read-only. */
export function TableName({ table }: { table: string | undefined }) {
  const { facts } = useTable(table)
  return (
    <span className="small dim">
      <span className="mono">{facts ? `${facts.keyspace}.${facts.table}` : (table ?? 'leases')}</span>
      {facts?.readOnly && <span className="mut"> · read-only</span>}
    </span>
  )
}
