/**
 * Seals rows that give rights, so that a role which may write the table cannot make one.
 *
 * Guarantees: without the audit key, no seal can be made that holds for other columns, another version, another row or
 * another table. Every column counts, with its name and its type: null, `''`, `0`, `false` and an empty list all differ.
 * Does not guarantee: that a row is the latest one of its key. An older row has an older seal, which holds:
 * row-versions.ts refuses it. Nor anything against a process that has the key.
 * Assumes: the columns are what a read of the row gives. Cassandra reads an empty collection as null, a timestamp as
 * whole milliseconds, and text as UTF-8, in which a lone surrogate is U+FFFD.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from 'leasehold/lease'

export type SealedValue = string | number | bigint | boolean | Date | null | readonly SealedValue[]

/** The primary key too, or a seal could be moved to another row; not the version and the seal. */
export type SealedColumns = Readonly<Record<string, SealedValue>>

/** How many contents are remembered; each has a few hundred bytes. */
const checkedMax = 5_000

/**
 * @example
 * const seal = new RowSeal(Buffer.from(crypto.getRandomValues(new Uint8Array(32))))
 * const columns = { username: 'ann', role: 'admin', disabled: false, created_at: new Date() }
 * const row = { ...columns, version: 1n, seal: seal.seal('users', 1n, columns) }
 * seal.check('users', row.version, columns, row.seal) // true
 */
export class RowSeal {
  readonly #key: Buffer
  /** The content under each good seal, by the seal: a row that is read often is hashed once. */
  readonly #checked = new BoundedMap<string, string>(checkedMax)

  /** @param key the audit key; the key of seals is derived from it, so that no entry of the audit can be taken for a seal */
  constructor(key: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', key, '', 'leasehold row seal', 32))
  }

  /** @returns HMAC-SHA256, base64url. @throws TypeError for a value that no column can hold */
  seal(table: string, version: bigint | number, columns: SealedColumns): string {
    return this.#mac(textOf(table, version, columns)).toString('base64url')
  }

  /** @param seal as the row has it; null: the row has none */
  check(
    table: string,
    version: bigint | number,
    columns: SealedColumns,
    seal: string | null | undefined,
  ): boolean {
    if (seal === null || seal === undefined) return false
    const text = textOf(table, version, columns)
    if (this.#checked.get(seal) === text) return true
    const mac = this.#mac(text)
    const given = Buffer.from(seal, 'base64url')
    if (given.length !== mac.length || !timingSafeEqual(given, mac)) return false
    this.#checked.set(seal, text)
    return true
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}

function textOf(table: string, version: bigint | number, columns: SealedColumns): string {
  let text = encoded('leasehold row 1') + encoded(table) + encoded(BigInt(version))
  for (const name of Object.keys(columns).sort())
    text += encoded(name) + encoded(columns[name] as SealedValue)
  return text
}

/** A type, a length and the bytes: two different values never encode alike, nor do two different sequences of values. */
function encoded(value: SealedValue): string {
  if (value === null) return tagged('n', '')
  if (Array.isArray(value)) return tagged('l', value.map(encoded).join(''))
  if (value instanceof Date && !Number.isNaN(value.getTime())) return tagged('d', String(value.getTime()))
  if (typeof value === 'string') return tagged('s', value)
  if (typeof value === 'boolean') return tagged('b', value ? '1' : '0')
  if (typeof value === 'bigint') return tagged('i', String(value))
  if (typeof value === 'number' && Number.isFinite(value)) return tagged('f', String(value))
  throw new TypeError(
    `A row cannot be sealed with ${typeof value === 'object' ? 'this object' : String(value)}.`,
  )
}

const tagged = (type: string, content: string): string => `${type}${Buffer.byteLength(content)}:${content}`
