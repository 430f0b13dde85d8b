/**
 * Writes of rows that never change, where those that are asked for at the same time share a statement.
 *
 * 1. Rows gather until there are `rowsMax` of them, or the first has waited for `gathers.ms`. Without `gathers` they do not wait.
 * 2. They are written together, up to `rowsMax` in a statement, and with `atOnce` statements under way at most.
 * 3. A statement of several rows is an unlogged batch: each row is there or not. If Cassandra refuses it, each of its rows is
 *    written alone, and only those that are refused again fail. Any other failure is one of all of its rows: some may be there.
 *
 * Assumes: that a row may be written twice.
 */
import { isLeaseholdError } from '../../lease/index.ts'
import type { Timer } from '../../time/index.ts'
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

/** How long a row may wait for others. */
export interface Gathers {
  readonly timer: Timer
  readonly ms: number
}

export class GatheredWrites {
  readonly #session: Pick<Executor, 'execute'>
  /** By the number of rows, from one on. */
  readonly #statements: readonly Statement[]
  readonly #gathers: Gathers | undefined
  #gathered: Waiting[] = []
  #underWay = 0
  /** The first of the gathered rows waits no longer. */
  #isRipe = false
  #stopWaiting = () => {}

  /** @param one an INSERT */
  constructor(session: Pick<Executor, 'execute'>, one: Statement, gathers?: Gathers) {
    this.#session = session
    const batch = (rows: number) => `BEGIN UNLOGGED BATCH ${`${one.cql}; `.repeat(rows)}APPLY BATCH`
    const several = Array.from({ length: rowsMax - 1 }, (_, i) => ({ ...one, cql: batch(i + 2) }))
    this.#statements = [one, ...several]
    this.#gathers = gathers
  }

  /** @throws what the session's `execute` throws */
  write(params: readonly unknown[]): Promise<void> {
    return new Promise((done, fail) => {
      this.#gathered.push({ params, done, fail })
      if (this.#gathered.length === 1) this.#ripen()
      this.#send()
    })
  }

  #ripen(): void {
    if (this.#gathers === undefined) {
      this.#isRipe = true
      return
    }
    this.#stopWaiting = this.#gathers.timer.after(this.#gathers.ms, () => {
      this.#isRipe = true
      this.#send()
    })
  }

  #send(): void {
    while (this.#underWay < atOnce && (this.#isRipe || this.#gathered.length >= rowsMax)) {
      const rows = this.#gathered.splice(0, rowsMax)
      if (this.#gathered.length === 0) {
        this.#isRipe = false
        this.#stopWaiting()
      }
      this.#underWay++
      void this.#writeAll(rows).then(() => {
        this.#underWay--
        this.#send()
      })
    }
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
