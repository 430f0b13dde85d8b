/** A statement and its answer as the journal shows them. */

import type { ExecutedRows, Statement } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import type { Entry, StatementPurpose } from '../../../contract/lab/journal.ts'
import { startOf } from '../../../contract/text-size.ts'

const purposes: Readonly<Record<string, StatementPurpose>> = {
  acquire: 'acquire',
  renew: 'renew',
  release: 'release',
  quarantine: 'break',
  read: 'read',
  hint: 'hint',
  term: 'term',
  ticket: 'queue',
  'resign-request': 'resign-request',
  'fenced-write': 'fenced-counter',
  'fenced-counter': 'fenced-counter',
  'unfenced-counter': 'unfenced-counter',
  bakery: 'bakery',
}

/** The lab deletes the rows of others by a kill alone, and that is the library’s DELETE of a release. */
export function purposeOf({ operation = 'other' }: Statement, by: string): StatementPurpose {
  const purpose = purposes[operation] ?? 'other'
  return purpose === 'release' && by === 'lab' ? 'kill' : purpose
}

export const isConditional = ({ serialConsistency }: Statement): boolean => serialConsistency !== undefined
export const isRead = ({ cql }: Statement): boolean => /^\s*SELECT\b/i.test(cql)

const textMaxLength = 200
const rowsMax = 8

const cellText = (cell: unknown): string => {
  const text = cell instanceof Date ? cell.toISOString() : String(cell ?? null)
  return text.length > textMaxLength ? `${startOf(text, textMaxLength)}…` : text
}

export const paramTexts = (params: readonly unknown[]): string[] => params.map(cellText)

type Answered = Pick<Entry<'answered'>, 'outcome' | 'found'>

export function answerOf(statement: Statement, { rows }: ExecutedRows): Answered {
  const [row] = rows
  if (!isConditional(statement)) return { outcome: 'rows', found: rowsText(rows) }
  if (row?.['[applied]'] === true) return { outcome: 'applied', found: null }
  const { '[applied]': _, ...cells } = row ?? {}
  // The holder of a refused write; any other row cell by cell.
  const holder = Object.hasOwn(cells, 'owner') ? cells.owner : undefined
  return { outcome: 'not-applied', found: typeof holder === 'string' ? holder : rowsText([cells]) }
}

function rowsText(rows: readonly Record<string, unknown>[]): string | null {
  const texts = rows.slice(0, rowsMax).map((row) =>
    Object.entries(row)
      .map(([column, cell]) => `${column} = ${cellText(cell)}`)
      .join(', '),
  )
  const text = texts.filter((each) => each !== '').join('; ')
  return text === '' ? null : text
}

/** Of a statement that the session has thrown for. */
export function failureOf(thrown: unknown): Answered['outcome'] {
  if (isLeaseholdError(thrown, 'statement-unknown')) return 'unknown'
  if (isLeaseholdError(thrown, 'store-unavailable')) return thrown.mayHaveHappened ? 'unknown' : 'unavailable'
  return isLeaseholdError(thrown, 'closed') ? 'unavailable' : 'refused'
}
