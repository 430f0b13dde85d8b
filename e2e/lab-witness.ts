/**
 * A client of its own beside the lab, which reads the lease of one run at SERIAL ten times a second: what the lanes say must be what
 * it saw. Of one tenure it remembers the first version, which is the token if no renewal came before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import cassandra from 'cassandra-driver'
import { driver, type RunningConsole } from './console.ts'
import { runOf } from './lab-page.ts'

const everyMs = 100
const { serial } = cassandra.types.consistencies

interface Row {
  owner: string
  value: string | null
  version: bigint
}

export class Witness {
  readonly name: string
  readonly run: string
  /** Rows that differ from the one before in owner or value; null: no row. */
  readonly seen: (Row | null)[] = []
  readonly #client: cassandra.Client
  readonly #keyspace: string
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>

  private constructor(client: cassandra.Client, running: RunningConsole, run: { run: string; name: string }) {
    this.#client = client
    this.#keyspace = running.keyspace
    this.run = run.run
    this.name = run.name
    this.#watching = this.#watch()
  }

  /** Of the run that the page shows. */
  static async of(page: Page, running: RunningConsole): Promise<Witness> {
    await page.waitForURL(/\/lab\/[a-z0-9]{8}$/)
    const [client, { body }] = await Promise.all([
      driver(),
      running.api('GET', `/v1/lab/runs/${runOf(page)}?limit=1`),
    ])
    return new Witness(client, running, body)
  }

  /** The row as it is now. null: there is none. */
  async row(): Promise<Row | null> {
    const cql = `SELECT owner, value, writetime(owner) AS version FROM ${this.#keyspace}.leases WHERE name = ?`
    const { rows } = await this.#client.execute(cql, [this.name], { prepare: true, consistency: serial })
    return rows[0]?.owner == null ? null : (rows[0] as unknown as Row)
  }

  /** Whose the row is now: "c2", "plain"; "!quarantine" of a broken lease; null: there is no row. */
  async holder(): Promise<string | null> {
    return partOf(await this.row())
  }

  /** Who held the lease, one after another, each with the first version that was read. */
  get tenures(): { candidate: string; version: bigint }[] {
    let before: string | undefined
    return this.seen.flatMap((row) => {
      const isNew = row !== null && row.owner !== before
      before = row?.owner
      const candidate = partOf(row)
      return isNew && candidate !== null && !candidate.startsWith('!')
        ? [{ candidate, version: (row as Row).version }]
        : []
    })
  }

  /** Rows of the console’s own tables. */
  async rowsOf(table: string, where: string, params: unknown[]): Promise<cassandra.types.Row[]> {
    const cql = `SELECT * FROM ${this.#keyspace}.${table} WHERE ${where}`
    const options = { prepare: true, consistency: cassandra.types.consistencies.quorum }
    return (await this.#client.execute(cql, params, options)).rows
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#watching
    await this.#client.shutdown()
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const row = await this.row()
      const last = this.seen.at(-1)
      if (last === undefined || last?.owner !== row?.owner || last?.value !== row?.value) this.seen.push(row)
      await sleep(everyMs)
    }
  }
}

const partOf = (row: Row | null): string | null => row?.owner.split(':')[0] ?? null
