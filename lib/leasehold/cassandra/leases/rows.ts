/** Checks and converts rows. It reads the SELECTs of `statements.ts` by position, and refusals by column name. */
import type { CasAnswer, LeaseCells, LeaseHint, ScannedRow, StoreColumns } from '../../lease/index.ts'
import { isApplied } from '../driver/applied.ts'
import type { TableMapping } from './mapping.ts'

type Row = Record<string, unknown>

// Not `row.values()`: a column named `values` would hide that method.
const cells = (row: Row): unknown[] => Object.values(row)

function text(what: string, cell: unknown): string | null {
  if (cell == null) return null
  if (typeof cell !== 'string') throw new TypeError(`${what} is not text but ${typeof cell}`)
  return cell
}

function count(what: string, cell: unknown): number | null {
  if (cell == null) return null
  if (typeof cell !== 'number') throw new TypeError(`${what} is not an int but ${typeof cell}`)
  return cell
}

function long(what: string, cell: unknown): bigint | null {
  if (cell == null) return null
  if (typeof cell !== 'bigint') throw new TypeError(`${what} is not a bigint but ${typeof cell}`)
  return cell
}

/** `SELECT owner, value, writetime(owner), ttl(owner), ttl(value), toUnixTimestamp(now())`, or the shorter forms. */
export const leaseCells = (row: Row, columns: StoreColumns): LeaseCells => cellsOf(cells(row), columns)

function cellsOf(all: unknown[], columns: StoreColumns): LeaseCells {
  const serverNow = long('now()', all.at(-1))
  if (serverNow === null) throw new TypeError('now() is missing')
  const [owner, value, writetime, ownerTtl, valueTtl] = columns.value
    ? all
    : columns.owner
      ? [all[0], null, all[1], all[2], null]
      : [null, null, null, null, null]
  return {
    owner: text('the owner', owner),
    value: text('the value', value),
    ownerWritetime: long('writetime', writetime),
    ownerTtlSeconds: count('ttl', ownerTtl),
    valueTtlSeconds: count('ttl', valueTtl),
    serverNowMs: Number(serverNow),
  }
}

/** `SELECT owner, value`, or those of the two that the table has; the name alone in a table without an owner column. */
export function leaseHint(row: Row, columns: StoreColumns): LeaseHint {
  const [owner, value] = columns.owner ? cells(row) : []
  return { owner: text('the owner', owner), value: text('the value', value) }
}

/**
 * The answer to a conditional write. A refused UPDATE or DELETE returns the columns of its condition, and only `[applied]` when
 * there is no row.
 * @throws StoreRefusedError when the answer, which may be empty, does not say whether it was applied
 */
export function casAnswer([row = {}]: Row[], mapping: TableMapping): CasAnswer {
  if (isApplied(row)) return { applied: true }
  if (Object.keys(row).length === 1) return { applied: false, found: null }
  const { owner, value } = mapping
  const found = { owner: owner === null ? null : text('the owner', row[owner]) }
  if (value === null || !Object.hasOwn(row, value)) return { applied: false, found }
  return { applied: false, found: { ...found, value: text('the value', row[value]) } }
}

export function scanRow(row: Row): { name: string; token: string } {
  const [name, token] = cells(row)
  return nameAndToken(name, token)
}

/** `SELECT name, token(name), …`, and then the columns of `leaseCells`. */
export function scannedRow(row: Row, columns: StoreColumns): ScannedRow {
  const [name, token, ...rest] = cells(row)
  return { ...nameAndToken(name, token), cells: cellsOf(rest, columns) }
}

function nameAndToken(name: unknown, token: unknown): { name: string; token: string } {
  const parsed = text('the name', name)
  const position = long('token', token)
  if (parsed === null || position === null) throw new TypeError('the name or its token is missing')
  return { name: parsed, token: position.toString() }
}
