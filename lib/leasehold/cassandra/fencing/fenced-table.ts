/**
 * An application's table that refuses the updates of an old holder.
 *
 * A column of each row, the fence, holds the greatest token that wrote the row. An update sets the fence, on condition
 * that it is not greater already: `UPDATE … SET …, fence = ? WHERE … IF fence <= ?`. So once the next holder has
 * written the row, Cassandra refuses an earlier holder's update, however late it arrives.
 *
 * Guarantees: after a token's *written*, no update of a smaller token is applied to that row. After *refused*, the
 * update was not and will not be applied.
 * Does not guarantee: anything until the new holder has written the row: until then the old holder's update is applied.
 * A holder whose work depends on the row claims it first (an update without columns sets the fence), and then reads it.
 * Nor does it order two updates of one token: the condition holds for both, so that one whose answer was lost may land
 * after the other; see `FencedGuard.update`.
 * Assumes: every write to these rows goes through a guard. A plain write, a DELETE, a TTL or a restored backup can
 * remove the fence, and lets an old holder write. The tokens of one row come from one lease, or are comparable
 * otherwise. Nothing of clocks.
 */
import { defaultSettleMs, InvalidArgumentError, OutcomeEngine, StoreRefusedError } from '../../lease/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../../time/index.ts'
import { isApplied } from '../driver/applied.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import type { Statement } from '../session/statement.ts'
import { type Columns, FencedGuard, type Fencing, type UpdateAnswer } from './fenced-guard.ts'
import { type FencedNames, fencedUpdate, fenceRead } from './fenced-statements.ts'
import { rowId, rowText } from './row-text.ts'

export interface FencedTableOptions {
  /** Left out: the session's keyspace. */
  keyspace?: string | undefined
  table: string
  /** The columns of the primary key, all of them. */
  key: readonly string[]
  /** The column that holds the token: a bigint, of the row itself. */
  fence: string
  /** How long to retry after lost answers, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
}

/**
 * @example
 * await session.client.execute(`CREATE TABLE IF NOT EXISTS ${session.keyspace}.orders (id text PRIMARY KEY, state text, fence bigint)`)
 * const orders = new FencedTable(session, { table: 'orders', key: ['id'], fence: 'fence' })
 * await using lease = await leases.acquire('orders/o-1', { waitMs: 10_000 })
 * const outcome = await orders.guard(lease).update({ id: 'o-1' }, { state: 'paid' })
 * if (outcome.kind === 'refused') throw new Error(`a newer holder has written: ${outcome.fence}`)
 */
export class FencedTable {
  readonly #session: Executor
  readonly #options: FencedTableOptions
  readonly #engine: OutcomeEngine
  readonly #names: FencedNames
  /** For each column of the key whether it is given as bytes. */
  readonly #asBytes = new Map<string, boolean>()

  /** @throws InvalidArgumentError on an invalid identifier */
  constructor(session: Executor, options: FencedTableOptions) {
    const { keyspace = session.keyspace, table, key, fence, settleMs = defaultSettleMs } = options
    const { clock = systemClock, timer = systemTimer, random = Math.random } = options
    this.#session = session
    this.#options = options
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry: session.telemetry })
    this.#names = {
      table: `${quoteIdentifier('keyspace', keyspace)}.${quoteIdentifier('table', table)}`,
      key: key.map((column) => quoteIdentifier('column', column)),
      fence: quoteIdentifier('column', fence),
    }
    if (key.length === 0 || new Set([...key, fence]).size !== key.length + 1)
      throw new InvalidArgumentError(
        `The table ${JSON.stringify(table)} needs one key column or more, and a fence that is none of them.`,
      )
  }

  /**
   * The guard through which one tenure writes. Make one guard per tenure, and keep it: it remembers the rows that the
   * token has written, and needs that after a lost answer.
   * @param holder the token, or a lease; a lost lease throws before each update
   */
  guard(holder: bigint | { readonly token: bigint }): FencedGuard {
    return new FencedGuard(this.#fencing, holder, this.#engine)
  }

  /** The row's fence, read at SERIAL; null: no fence, or no row. @throws StoreUnavailableError */
  async fence(key: Columns): Promise<bigint | null> {
    const statement = fenceRead(this.#names, this.#session.serial)
    const { rows } = await this.#session.execute(statement, this.#keyValues(key))
    return this.#fenceOf(rows[0])
  }

  readonly #fencing: Fencing = {
    prepare: (key, columns) => {
      const where = this.#keyValues(key)
      // Sorted, because the driver would prepare one statement for each order.
      const named = Object.entries(columns).sort(([one], [other]) => (one < other ? -1 : 1))
      for (const [column, value] of named) {
        if (column === this.#options.fence || this.#options.key.includes(column))
          throw new InvalidArgumentError(
            `The column ${JSON.stringify(column)} cannot be set: it is the guard's.`,
          )
        checkBound(column, value)
      }
      const quoted = named.map(([column]) => quoteIdentifier('column', column))
      const { upToFence, withoutFence } = fencedUpdate(this.#names, quoted, this.#session.serial)
      const values = named.map(([, value]) => value)
      return {
        id: rowId(where),
        row: rowText(where),
        send: (token, condition) =>
          condition === 'upToFence'
            ? this.#cas(upToFence, [...values, token, ...where, token])
            : this.#cas(withoutFence, [...values, token, ...where]),
      }
    },
    fence: (key) => this.fence(key),
  }

  async #cas(statement: Statement, params: unknown[]): Promise<UpdateAnswer> {
    const { rows } = await this.#session.execute(statement, params)
    return isApplied(rows[0]) ? { applied: true } : { applied: false, fence: this.#fenceOf(rows[0]) }
  }

  #fenceOf(row: Record<string, unknown> | undefined): bigint | null {
    const cell = row?.[this.#options.fence] ?? null
    if (cell !== null && typeof cell !== 'bigint')
      throw new StoreRefusedError(`The column ${JSON.stringify(this.#options.fence)} is no bigint.`)
    return cell
  }

  #keyValues(key: Columns): unknown[] {
    const columns = this.#options.key
    if (Object.keys(key).length !== columns.length || !columns.every((column) => Object.hasOwn(key, column)))
      throw new InvalidArgumentError(
        `The key has the columns ${JSON.stringify(Object.keys(key))}; ${JSON.stringify(columns)} are expected.`,
      )
    for (const column of columns) {
      checkBound(column, key[column])
      if (key[column] instanceof Date)
        throw new InvalidArgumentError(
          `The key ${JSON.stringify(column)} is a Date, and the driver sends all of it or its day alone. Give the milliseconds of a timestamp, or the text of a date, such as 2026-01-31.`,
        )
      this.#checkBytes(column, Buffer.isBuffer(key[column]))
    }
    return columns.map((column) => key[column])
  }

  /** The driver sends bytes as they are, whatever the column's type: a guard could not tell that both are one row. */
  #checkBytes(column: string, isBytes: boolean): void {
    const before = this.#asBytes.get(column) ?? isBytes
    if (before !== isBytes)
      throw new InvalidArgumentError(
        `The key ${JSON.stringify(column)} is given ${isBytes ? 'as bytes, and was not' : 'otherwise, and was given as bytes'} before. Give it in one way.`,
      )
    this.#asBytes.set(column, isBytes)
  }
}

/** The driver sends `undefined` as *unset*, which would leave the column as it is, and each half of a surrogate pair as U+FFFD. */
function checkBound(column: string, value: unknown): void {
  if (value === undefined)
    throw new InvalidArgumentError(
      `The value of ${JSON.stringify(column)} is undefined; null clears a column.`,
    )
  if (!isWellFormed(value))
    throw new InvalidArgumentError(
      `The value of ${JSON.stringify(column)} contains half of a surrogate pair, which is not text.`,
    )
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  const isIterable = Array.isArray(value) || value instanceof Set || value instanceof Map
  return [...(isIterable ? value : Object.entries(value))].every(isWellFormed)
}
