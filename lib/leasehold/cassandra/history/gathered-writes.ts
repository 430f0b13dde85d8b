/**
 * Writes of rows that never change, where those that are asked for at the same time share a statement.
 *
 * 1. Rows gather until the first has waited for `gathers.ms`, or there are `gatheredMax` of them. Without `gathers` they do not wait.
 * 2. They are written together, those of one partition before those of the next, within the bounds of a statement below, and with
 *    `atOnce` statements under way at most. Each partition of a statement costs Cassandra almost what a statement does: at 800 rows
 *    a second a row took 0.43 ms of its processor in statements of eight partitions, and 0.25 ms in those of two.
 * 3. A statement of several rows is an unlogged batch: each row is there or not. If Cassandra refuses it, or the driver cannot encode
 *    it, each of its rows is written alone, and only those that fail again fail. Any other failure is one of all of its rows: some
 *    may be there.
 *
 * Assumes: that a row may be written twice.
 */
import { isLeaseholdError } from '../../lease/index.ts'
import type { Timer } from '../../time/index.ts'
import type { Executor } from '../session/executor.ts'
import type { Statement } from '../session/statement.ts'

/** Below what Cassandra warns of in its log: batches over more than ten partitions, and over 5 KiB. */
export const partitionsMax = 8
const bytesMax = 4_500
/** Each number of rows is a statement of its own, which each node prepares. */
export const rowsMax = 16
/** What a row takes beside its texts, with some ten other values, each of them with its timestamp and TTL. */
const rowBytes = 250
/** No row waits behind more: some 100 KiB. */
export const gatheredMax = 256
/** A row waits for the end of one of these, and they are short. With one alone, a statement that hangs would stop all. */
const atOnce = 2

interface Waiting {
  readonly bytes: number
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
  /** By partition, in the order of their first rows. */
  readonly #gathered = new Map<string, Waiting[]>()
  #count = 0
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

  /**
   * @param partition the same for all rows of a partition, and for no others
   * @throws what the session's `execute` throws
   */
  write(partition: string, params: readonly unknown[]): Promise<void> {
    return new Promise((done, fail) => {
      const row = { params, done, fail, bytes: bytesOf(params) }
      const others = this.#gathered.get(partition)
      if (others === undefined) this.#gathered.set(partition, [row])
      else others.push(row)
      this.#count++
      if (this.#count === 1) this.#ripen()
      if (this.#count >= gatheredMax) this.#isRipe = true
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
    while (this.#underWay < atOnce && this.#isRipe && this.#count > 0) {
      const rows = this.#take()
      this.#count -= rows.length
      if (this.#count === 0) {
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

  /** The rows of one statement: at least one. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    let bytes = 0
    let partitions = 0
    const fits = (row: Waiting | undefined): row is Waiting =>
      row !== undefined && (taken.length === 0 || (taken.length < rowsMax && bytes + row.bytes <= bytesMax))
    for (const [partition, rows] of this.#gathered) {
      if (++partitions > partitionsMax) break
      for (let row = rows[0]; fits(row); row = rows[0]) {
        taken.push(row)
        bytes += row.bytes
        rows.shift()
      }
      if (rows.length > 0) break
      this.#gathered.delete(partition)
    }
    return taken
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
      const isOfOneRow = !isLeaseholdError(error) || error.code === 'store-refused'
      if (rows.length > 1 && isOfOneRow) await Promise.all(rows.map((row) => this.#writeAll([row])))
      else for (const { fail } of rows) fail(error)
    }
  }
}

/** About what it takes in Cassandra, in bytes. */
const bytesOf = (params: readonly unknown[]): number =>
  params.reduce<number>(
    (sum, param) => sum + (typeof param === 'string' ? Buffer.byteLength(param) : 0),
    rowBytes,
  )
