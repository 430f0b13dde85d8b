/**
 * Reads of single rows of one table, where those that are asked for at the same time share a statement.
 *
 * 1. A key that is asked for while fewer than `atOnce` reads are under way is read at the end of this turn of the event loop, with
 *    those of all requests that arrived in it.
 * 2. Otherwise keys gather. They are read together when one of those reads ends, or has taken `patienceMs`: a read that does
 *    not end holds up each key once, and from then on none.
 * 3. One key is read by the statement for one, several by the statement for many. If that fails, each of its keys is read on
 *    its own, and only those that fail again fail.
 *
 * Guarantees: the statement that answers a request is sent after the request came. A row that was changed before is never
 * answered as it was.
 * Does not guarantee: an answer as soon as a single read would give it. Under load a key waits for the end of a read before it,
 * for `patienceMs` at most for each `keysMax` keys that came earlier, and for the slowest row of its own statement.
 */
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import type { Timer } from 'leasehold/time'

type Row = Record<string, unknown>

/** Keys of one statement: a coordinator asks the replicas of each of them. */
export const keysMax = 100
/** Some times what a read takes on a cluster that is well, and little beside what a person or a program waits for. */
export const patienceMs = 20
/**
 * With one alone each of 16 senders waits for the look-up before its own. With two, eight and sixteen they got 0.95 to 1.00 of the
 * answers that they got with four.
 */
const readsAtOnce = 4

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
  /** Reads under way from which on keys gather; 4 unless given. */
  atOnce?: number
}

export class BatchedReads {
  readonly #options: BatchedReadsOptions
  #gathered = new Map<string, Asked[]>()
  /** How many more reads may be sent now. */
  #free: number

  constructor(options: BatchedReadsOptions) {
    this.#options = options
    this.#free = options.atOnce ?? readsAtOnce
  }

  /** @returns undefined: there is no such row. @throws what the statement for one throws */
  read(key: string): Promise<Row | undefined> {
    return new Promise((answer, fail) => {
      const same = this.#gathered.get(key)
      if (same !== undefined) return same.push({ answer, fail })
      this.#gathered.set(key, [{ answer, fail }])
      // With the first of them it was decided when all are sent.
      if (this.#gathered.size === 1 && this.#free > 0) setImmediate(() => this.#send())
    })
  }

  #send(): void {
    while (this.#free > 0 && this.#gathered.size > 0) {
      const asked = [...this.#gathered].slice(0, keysMax)
      for (const [key] of asked) this.#gathered.delete(key)
      this.#free--
      let isCounted = true
      const done = () => {
        stopWaiting()
        if (!isCounted) return
        isCounted = false
        this.#free++
        this.#send()
      }
      const stopWaiting = this.#options.timer.after(patienceMs, done)
      void this.#readAll(asked).then(done)
    }
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
