import type { ColumnFacts, TableFacts, TableMapping } from '../../cassandra/index.ts'
import { fail, type Judgement, ok, warn } from '../finding.ts'

type Columns = Pick<TableFacts, 'keyspace' | 'table' | 'settings' | 'columns' | 'dropped'>

/** Whether the table has the columns that it is mapped with, of the right kinds and types. */
export function checkColumns(
  { keyspace, table, settings, columns, dropped }: Columns,
  mapping: TableMapping,
): Judgement {
  const where = `${keyspace}.${table}`
  const mend =
    'Correct the mapping of the table, or make a table of the shape (name text PRIMARY KEY, owner text, value text).'
  if (settings === null) return fail(`There is no table ${where}.`, mend)
  const wrong = [
    ...problemsOf(columns, mapping.name, 'partition_key'),
    ...(mapping.owner === null ? [] : problemsOf(columns, mapping.owner, 'regular')),
    ...(mapping.value === null ? [] : problemsOf(columns, mapping.value, 'regular')),
    ...columns
      .filter(
        ({ name, kind }) => name !== mapping.name && (kind === 'partition_key' || kind === 'clustering'),
      )
      .map(({ name }) => `${name} is part of the key too: one name could have several rows`),
  ]
  if (wrong.length > 0) return fail(`In ${where}: ${wrong.join('; ')}.`, mend)
  const mapped = [mapping.name, mapping.owner, mapping.value]
  const hiding = dropped.find(({ name, aheadMs }) => mapped.includes(name) && aheadMs > 0)
  if (hiding !== undefined)
    return fail(
      `The column ${hiding.name} of ${where} was dropped with a time that is ${Math.ceil(hiding.aheadMs / 1000)} s ahead, and added again: Cassandra hides all that is written to it until then, and grants one lease to two owners.`,
      'Copy nothing: make a new table, map it instead, and drop this one.',
    )
  const further = columns.filter(({ name }) => !mapped.includes(name)).map(({ name }) => name)
  if (further.length > 0)
    return warn(
      `${where} has further columns: ${further.join(', ')}. A renewal does not write them, so that they expire on their own; one that is written without a TTL keeps the row for ever.`,
      'Keep what is not part of the lease in another table.',
    )
  const without = mapping.owner === null ? ' It has no owner column: no renewal, no token, no version.' : ''
  return ok(`${where} has the columns that it is mapped with.${without}`)
}

function problemsOf(columns: readonly ColumnFacts[], name: string, kind: string): string[] {
  const column = columns.find((each) => each.name === name)
  if (column === undefined) return [`the column ${name} is missing`]
  const problems: string[] = []
  if (column.kind !== kind) problems.push(`${name} is a ${column.kind} column, not a ${kind} one`)
  if (column.type !== 'text' && column.type !== 'ascii')
    problems.push(`${name} is of the type ${column.type}, not text`)
  return problems
}
