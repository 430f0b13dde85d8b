/** Leases as a file: read page by page, each row confirmed at SERIAL, and written as CSV, JSON or text to paste. */
import type { Lease, LeaseList } from '../../contract/leases/lease.ts'
import { type LeaseView, viewQuery } from './lease-view.ts'

/** Each row is a SERIAL read: a whole table of them would slow the renewals of their holders. */
export const exportMax = 10_000

export type ExportFormat = 'csv' | 'json' | 'text'

const columns = [
  ['table', ({ table }: Lease) => table],
  ['name', ({ name }: Lease) => name],
  ['owner', ({ owner }: Lease) => owner],
  ['value', ({ value }: Lease) => value],
  ['state', ({ state }: Lease) => state],
  ['version', ({ version }: Lease) => version],
  ['writtenAt', ({ writtenAt }: Lease) => writtenAt],
  ['expiresAt', ({ expiresAt }: Lease) => expiresAt],
  ['ttlSeconds', ({ ttlSeconds }: Lease) => ttlSeconds],
  ['readLevel', ({ read }: Lease) => read.level],
  ['readAt', ({ read }: Lease) => read.at],
] as const satisfies readonly (readonly [string, (lease: Lease) => string | number | null])[]

/** Leases in a format. */
export function exported(leases: readonly Lease[], format: ExportFormat): string {
  if (format === 'json') return `${JSON.stringify(leases, null, 2)}\n`
  const rows = [
    columns.map(([name]) => name as string),
    ...leases.map((lease) => columns.map(([, of]) => String(of(lease) ?? ''))),
  ]
  const cell = format === 'csv' ? csvCell : textCell
  const between = format === 'csv' ? ',' : '\t'
  const end = format === 'csv' ? '\r\n' : '\n'
  return rows.map((row) => row.map(cell).join(between) + end).join('')
}

/**
 * A program chooses names, owners and values, and a spreadsheet runs what begins like a formula: an apostrophe keeps it a
 * text. JSON has them letter for letter.
 */
const noFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** One cell by RFC 4180. */
function csvCell(text: string): string {
  const safe = noFormula(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Tabs and line ends would make cells of their own. */
const textCell = (text: string): string => noFormula(text.replaceAll(/[\t\r\n]+/g, ' '))

const pageRows = 200

/**
 * What each page is asked for. By name, whatever the order of the list: pages are read one after the other, and in any other order
 * a lease that is renewed between two of them comes twice, or never.
 */
export const exportQuery = (view: LeaseView) =>
  ({ ...viewQuery(view), sort: 'name', order: 'asc', limit: pageRows }) as const

/**
 * Reads all pages, at most `exportMax` leases.
 * @param page reads the page at a cursor
 * @param onProgress how many have been read so far
 */
export async function readPages(
  page: (cursor: string | undefined) => Promise<LeaseList>,
  onProgress: (read: number) => void,
): Promise<{ leases: Lease[]; isWhole: boolean }> {
  const leases: Lease[] = []
  let cursor: string | undefined
  for (;;) {
    const { leases: more, nextCursor } = await page(cursor)
    leases.push(...more)
    onProgress(leases.length)
    const isEnd = nextCursor === null
    if (isEnd || leases.length >= exportMax)
      return { leases: leases.slice(0, exportMax), isWhole: isEnd && leases.length <= exportMax }
    cursor = nextCursor
  }
}
