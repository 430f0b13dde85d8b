/**
 * Seals rows that give rights as they are written, and checks them as they are read.
 *
 * Guarantees: a row holds if this console, or another one with the same audit key, wrote it, and no newer version of it is
 * known here (row-versions.ts). A check is one HMAC, and reads nothing while the row holds. A refused row is reported, once a
 * minute; of all of them, the first hundred in a minute.
 * Does not guarantee: anything of a row that is missing: the writer's role can delete rows. `missing` finds them among
 * the rows whose versions are known here.
 */
import type { z } from 'zod'
import type { RowSeal, SealedColumns } from './row-seal.ts'
import type { RowVersion, RowVersions } from './row-versions.ts'

/** The two columns that each sealed row has beside its own. */
export interface RowMark {
  version: number
  seal: string
}

/** A row as it was read. */
export interface ReadRow<T> {
  table: string
  key: string
  version: number | null
  seal: string | null
  /** What the seal is over; null: the row is not one that this version writes. */
  columns: SealedColumns | null
  row: T
}

/** A row as its schema reads it. Rows of the first versions have neither version nor seal. */
type Stored = { version: number | null; seal: string | null }

/**
 * Reads a row as the driver gives it. One that its schema refuses gives no right.
 * @param columnsOf what the seal is over, by the names of the columns
 */
export function readRow<T extends Stored>(
  { table, key }: { table: string; key: string },
  stored: unknown,
  schema: z.ZodType<T>,
  columnsOf: (row: T) => SealedColumns,
): ReadRow<T & RowMark> {
  const { data } = schema.safeParse(stored)
  if (data === undefined)
    return { table, key, version: null, seal: null, columns: null, row: undefined as never }
  const { version, seal } = data
  // The mark of a row that holds is not null: whether it holds is checked before the row is used.
  return { table, key, version, seal, columns: columnsOf(data), row: data as T & RowMark }
}

export interface RefusedRow {
  table: string
  key: string
  /** `seal`: another client than a console wrote it. `older`: an older version was put back. `missing`: it is gone. */
  why: 'seal' | 'older' | 'missing'
}

/** Why a row does not count, and its newest known version; null: neither. */
export interface Inspected {
  why: RefusedRow['why'] | null
  newest: number | null
}

interface SealedRowsOptions {
  seal: RowSeal
  versions: RowVersions
  nowMs: () => number
  /** Reports a refused row to the operators. */
  report: (row: RefusedRow) => void
}

const reportAgainAfterMs = 60_000
/** Reports of a minute. A client that may write the table can put any number of rows there, and each report is a line and an entry. */
const reportsMax = 100

export class SealedRows {
  readonly #options: SealedRowsOptions
  /** When each row was reported that was refused within the last minute, in the order of time. */
  readonly #reportedAtMs = new Map<string, number>()

  constructor(options: SealedRowsOptions) {
    this.#options = options
  }

  /**
   * A new version of a row. It is the time in milliseconds, so that a row which is made again after its deletion is newer
   * than all that stood under its key; and more than the version before, whatever the clock says.
   */
  next(table: string, columns: SealedColumns, before = 0): RowMark {
    const version = Math.max(before + 1, this.#options.nowMs())
    return { version, seal: this.again(table, version, columns) }
  }

  /**
   * The seal of a row under a version that its owner has chosen: one that is counted, or the version before, where what stood
   * there gives no more right.
   */
  again(table: string, version: number, columns: SealedColumns): string {
    return this.#options.seal.seal(table, version, columns)
  }

  /** Whether the seal of a row holds, whatever its version. */
  isSealed<T>({ table, version, seal, columns }: ReadRow<T>): boolean {
    return version !== null && columns !== null && this.#options.seal.check(table, version, columns, seal)
  }

  /**
   * The row, if it counts. Otherwise it is read again before it is refused: it may have changed between its read and this
   * check, which is no reason to alarm anyone.
   * @throws HttpProblem not-ready: which versions count is not known; so it is whether there is a row or none
   */
  async counted<T>(read: ReadRow<T> | null, again: () => Promise<ReadRow<T> | null>): Promise<T | null> {
    this.#options.versions.throwIfUnknown()
    if (read === null || this.#refusalOf(read) === null) return read?.row ?? null
    const now = await again()
    if (now === null) return null
    const why = this.#refusalOf(now)
    if (why === null) return now.row
    this.refuse({ table: now.table, key: now.key, why })
    return null
  }

  /** Whether no newer version is known of a row that counted before. @throws HttpProblem not-ready */
  isCurrent(table: string, key: string, version: number): boolean {
    return this.#options.versions.isCurrent(table, key, version)
  }

  /**
   * Keys of rows that were written, have not ended, and are not there: only for a table whose rows no console deletes.
   * @param keys reads the keys that are there
   * @throws HttpProblem not-ready
   */
  async missing(table: string, keys: () => Promise<readonly string[]>): Promise<string[]> {
    // Known before the read: a row that is made meanwhile is not missing.
    const known = this.#options.versions.keysOf(table)
    const there = new Set(await keys())
    const missing = known.filter((key) => !there.has(key))
    for (const key of missing) this.refuse({ table, key, why: 'missing' })
    return missing
  }

  /**
   * Why a row does not count, without a report; null: it does, or there never was one.
   * @param read null: there is none
   * @throws HttpProblem not-ready
   */
  inspect<T>(table: string, key: string, read: ReadRow<T> | null): Inspected {
    const newest = this.#options.versions.newest(table, key)
    if (read !== null) return { why: this.#refusalOf(read), newest }
    this.#options.versions.throwIfUnknown()
    return { why: newest === null ? null : 'missing', newest }
  }

  #refusalOf<T>(read: ReadRow<T>): RefusedRow['why'] | null {
    if (!this.isSealed(read)) return 'seal'
    return this.#options.versions.isCurrent(read.table, read.key, read.version ?? 0) ? null : 'older'
  }

  /** Reports a row that does not count to the operators, once a minute. */
  refuse(row: RefusedRow): void {
    const nowMs = this.#options.nowMs()
    const id = JSON.stringify([row.table, row.key, row.why])
    for (const [reported, atMs] of this.#reportedAtMs) {
      // Either way: the clock may have been set back.
      if (Math.abs(nowMs - atMs) < reportAgainAfterMs) break
      this.#reportedAtMs.delete(reported)
    }
    if (this.#reportedAtMs.has(id) || this.#reportedAtMs.size >= reportsMax) return
    this.#reportedAtMs.set(id, nowMs)
    this.#options.report(row)
  }

  /** A change that this process made: older versions of the row are refused from now on. */
  changed(row: RowVersion): RowVersion {
    this.#options.versions.note(row)
    return row
  }
}
