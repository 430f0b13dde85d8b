/**
 * Writes of rows that never change, where those that are asked for at the same time share a statement.
 *
 * 1. A row that is asked for while fewer than `atOnce` statements are under way is written at once, alone.
 * 2. Otherwise rows gather, and are written together, up to `rowsMax` of them, when a statement ends.
 * 3. A statement of several rows is an unlogged batch: each row is there or not. If Cassandra refuses it, each of its rows is
 *    written alone, and only those that are refused again fail. Any other failure is one of all of its rows: some may be there.
 *
 * Assumes: that a row may be written twice.
 */
import { isLeaseholdError } from '../../lease/index.ts'
import type { Executor } from '../session/executor.ts'
import type { Statement } from '../session/statement.ts'

/** Below what Cassandra warns of in its log: a batch over more than ten partitions. */
export const rowsMax = 8
/** A row waits for the end of one of these, and they are short. With one alone, a statement that hangs would stop all. */
const atOnce = 2

interface Waiting {
  readonly params: readonly unknown[]
  done(): void
  fail(error: unknown): void
}

export class GatheredWrites {
  readonly #session: Pick<Executor, 'execute'>
  /** By the number of rows, from one on. */
  readonly #statements: readonly Statement[]
  #gathered: Waiting[] = []
  #underWay = 0

  /** @param one an INSERT */
  constructor(session: Pick<Executor, 'execute'>, one: Statement) {
    this.#session = session
    const batch = (rows: number) => `BEGIN UNLOGGED BATCH ${`${one.cql}; `.repeat(rows)}APPLY BATCH`
    const several = Array.from({ length: rowsMax - 1 }, (_, i) => ({ ...one, cql: batch(i + 2) }))
    this.#statements = [one, ...several]
  }

  /** @throws what the session's `execute` throws */
  write(params: readonly unknown[]): Promise<void> {
    return new Promise((done, fail) => {
      this.#gathered.push({ params, done, fail })
      if (this.#underWay < atOnce) void this.#send()
    })
  }

  async #send(): Promise<void> {
    this.#underWay++
    for (let rows = this.#take(); rows.length > 0; rows = this.#take()) await this.#writeAll(rows)
    this.#underWay--
  }

  #take(): Waiting[] {
    return this.#gathered.splice(0, rowsMax)
  }

  async #writeAll(rows: readonly Waiting[]): Promise<void> {
    const statement = this.#statements[rows.length - 1] as Statement
    try {
      await this.#session.execute(
        statement,
        rows.flatMap(({ params }) => params),
      )
      for (const { done } of rows) done()
    } catch (error) {
      if (rows.length > 1 && isLeaseholdError(error, 'store-refused'))
        await Promise.all(rows.map((row) => this.#writeAll([row])))
      else for (const { fail } of rows) fail(error)
    }
  }
}
