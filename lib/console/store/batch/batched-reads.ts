/**
 * Reads of single rows that are asked for together, as one statement for many.
 *
 * Guarantees: at most one statement is under way; what is asked for in between is read by the next one. A row that is asked for
 * now is not answered from a statement that was sent before.
 * Does not guarantee: an answer where a part of the rows cannot be read. Then none of that statement is.
 */
import type { CassandraSession, Statement } from 'leasehold/cassandra'

type Row = Record<string, unknown>

/** Keys of one statement: a coordinator asks the replicas of each of them. */
export const keysMax = 100

interface Asked {
  answer(row: Row | undefined): void
  fail(error: unknown): void
}

export class BatchedReads {
  readonly #session: Pick<CassandraSession, 'execute'>
  readonly #statement: Statement
  readonly #keyColumn: string
  #waiting = new Map<string, Asked[]>()
  #isRunning = false

  /** @param statement a SELECT with `WHERE keyColumn IN ?`, which selects that column too */
  constructor(session: Pick<CassandraSession, 'execute'>, statement: Statement, keyColumn: string) {
    this.#session = session
    this.#statement = statement
    this.#keyColumn = keyColumn
  }

  /** @returns undefined: there is no such row. @throws what the statement throws */
  read(key: string): Promise<Row | undefined> {
    return new Promise((answer, fail) => {
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), { answer, fail }])
      if (this.#isRunning) return
      this.#isRunning = true
      // Those who ask in the same turn are read together.
      queueMicrotask(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = new Map([...this.#waiting].slice(0, keysMax))
      for (const key of some.keys()) this.#waiting.delete(key)
      await this.#readAll(some)
    }
    this.#isRunning = false
  }

  async #readAll(asked: ReadonlyMap<string, Asked[]>): Promise<void> {
    try {
      const { rows } = await this.#session.execute(this.#statement, [[...asked.keys()]])
      const found = new Map(rows.map((row) => [row[this.#keyColumn], row]))
      for (const [key, askers] of asked) for (const { answer } of askers) answer(found.get(key))
    } catch (error) {
      for (const askers of asked.values()) for (const { fail } of askers) fail(error)
    }
  }
}
