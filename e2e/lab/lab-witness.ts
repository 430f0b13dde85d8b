/**
 * A client of its own beside the lab, which reads the lease of one run at SERIAL ten times a second: what the lanes say must be what
 * it saw. On a busy machine it may begin after the first renewal: of a tenure it knows the last version, which the token is not above.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import cassandra from 'cassandra-driver'
import { driver, type RunningConsole } from '../console/running-console.ts'
import { runOf } from './lab-page.ts'

const everyMs = 100
const { serial } = cassandra.types.consistencies

interface Row {
  owner: string
  value: string | null
  version: bigint
}

interface Tenure {
  readonly owner: string
  /** "c2", or "plain". */
  readonly candidate: string
  lastVersion: bigint
}

export class Witness {
  readonly name: string
  readonly run: string
  /** Rows that differ from the one before in owner or value; null: no row. */
  readonly seen: (Row | null)[] = []
  /** Who held the lease, one after another. */
  readonly tenures: Tenure[] = []
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
      const row = await this.row().catch(() => undefined)
      // Cassandra is too busy to answer: the next look is soon enough.
      if (row === undefined) {
        await sleep(everyMs)
        continue
      }
      const last = this.seen.at(-1)
      if (last === undefined || last?.owner !== row?.owner || last?.value !== row?.value) this.seen.push(row)
      this.#note(row)
      await sleep(everyMs)
    }
  }

  #note(row: Row | null): void {
    const candidate = partOf(row)
    if (row === null || candidate === null || candidate.startsWith('!')) return
    const last = this.tenures.at(-1)
    if (last?.owner === row.owner) last.lastVersion = row.version
    else this.tenures.push({ owner: row.owner, candidate, lastVersion: row.version })
  }
}

const partOf = (row: Row | null): string | null => row?.owner.split(':')[0] ?? null
