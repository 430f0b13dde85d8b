/**
 * Reads of single rows of one table, where those that are asked for at the same time share a statement.
 *
 * 1. A key that is asked for while no read is under way is read at once, with those of the same turn.
 * 2. While a read is under way, keys gather. They are read when it ends, or after `patienceMs`: a read that does not end holds
 *    up each key once, and from then on none.
 * 3. One key is read by the statement for one, several by the statement for many. If that fails, each of its keys is read on
 *    its own, and only those that fail again fail.
 *
 * Guarantees: the statement that answers a request is sent after the request came. A row that was changed before is never
 * answered as it was.
 * Does not guarantee: an answer as soon as a single read would give it. A key waits for the end of the read before it, for
 * `patienceMs` at most for each `keysMax` keys that came earlier, and for the slowest row of its own statement.
 */
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import type { Timer } from 'leasehold/time'

type Row = Record<string, unknown>

/** Keys of one statement: a coordinator asks the replicas of each of them. */
export const keysMax = 100
/** Some times what a read takes on a cluster that is well, and little beside what a person or a program waits for. */
export const patienceMs = 20

interface Asked {
  answer(row: Row | undefined): void
  fail(error: unknown): void
}

interface BatchedReadsOptions {
  session: Pick<CassandraSession, 'execute'>
  /** A SELECT with `WHERE keyColumn = ?`. */
  one: Statement
  /** The same with `WHERE keyColumn IN ?`, at the same level; it selects that column too. */
  many: Statement
  keyColumn: string
  timer: Timer
}

export class BatchedReads {
  readonly #options: BatchedReadsOptions
  #gathered = new Map<string, Asked[]>()
  /** The latest read, if it has not ended: its end sends what was gathered. */
  #underWay: Promise<void> | null = null
  /** Ends the wait for `patienceMs`; null: no key waits for it. */
  #cancel: (() => void) | null = null

  constructor(options: BatchedReadsOptions) {
    this.#options = options
  }

  /** @returns undefined: there is no such row. @throws what the statement for one throws */
  read(key: string): Promise<Row | undefined> {
    return new Promise((answer, fail) => {
      const same = this.#gathered.get(key)
      if (same !== undefined) return same.push({ answer, fail })
      this.#gathered.set(key, [{ answer, fail }])
      // When the others are sent was decided as the first of them came.
      if (this.#gathered.size > 1) return
      if (this.#underWay === null) queueMicrotask(() => this.#send())
      else this.#sendLater()
    })
  }

  #sendLater(): void {
    this.#cancel = this.#options.timer.after(patienceMs, () => this.#send())
  }

  #send(): void {
    this.#cancel?.()
    this.#cancel = null
    const asked = [...this.#gathered].slice(0, keysMax)
    for (const [key] of asked) this.#gathered.delete(key)
    const reading = this.#readAll(asked).then(() => {
      // A later one was sent, as this one took too long.
      if (this.#underWay !== reading) return
      this.#underWay = null
      if (this.#gathered.size > 0) this.#send()
    })
    this.#underWay = reading
    if (this.#gathered.size > 0) this.#sendLater()
  }

  async #readAll(asked: readonly [string, Asked[]][]): Promise<void> {
    if (asked.length > 1 && (await this.#readMany(asked))) return
    await Promise.all(asked.map(([key, askers]) => this.#readOne(key, askers)))
  }

  /** @returns false: the statement failed, and none was answered */
  async #readMany(asked: readonly [string, Asked[]][]): Promise<boolean> {
    const { session, many, keyColumn } = this.#options
    try {
      const { rows } = await session.execute(many, [asked.map(([key]) => key)])
      const found = new Map(rows.map((row) => [row[keyColumn], row]))
      for (const [key, askers] of asked) for (const { answer } of askers) answer(found.get(key))
      return true
    } catch {
      // Each of them says what is wrong with it.
      return false
    }
  }

  async #readOne(key: string, askers: readonly Asked[]): Promise<void> {
    const { session, one } = this.#options
    try {
      const { rows } = await session.execute(one, [key])
      for (const { answer } of askers) answer(rows[0])
    } catch (error) {
      for (const { fail } of askers) fail(error)
    }
  }
}
