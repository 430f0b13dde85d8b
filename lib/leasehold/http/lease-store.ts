/**
 * A lease store behind the REST API, so that `Leases`, `Locks` and `Election` run unchanged through a server.
 *
 * Guarantees: those of `LeaseStore`, except one (below). A deadline counts from before the request was sent, as with
 * Cassandra, so that a slow server or network costs time but no safety.
 * Does not guarantee: that a renewal is refused when the stored value differs from the last known one: the API has no
 * such condition. A renewal that is held back and lands late can restore an older value of the same tenure. It can
 * change no other owner's lease.
 * Assumes: the clocks of `time/lease-time.ts`.
 * Tuned by: `hintWaitMs`. Over the API a hint is a blocking query, which the server answers at once when the holder
 * changes.
 */
import {
  type AcquireWrite,
  BoundedMap,
  type CasAnswer,
  InvalidArgumentError,
  type LeaseHint,
  type LeaseStore,
  type QuarantineWrite,
  type ReadAnswer,
  type ReleaseWrite,
  type RenewWrite,
  type ScanAnswer,
  type ScanRange,
  type ScanRowsAnswer,
  StatementUnknownError,
  type StoreColumns,
  StoreRefusedError,
} from '../lease/index.ts'
import type { PaxosVariant } from '../time/index.ts'
import { asFields, textOf } from './json.ts'
import { cellsOf } from './lease-json.ts'
import { listLeases } from './lease-list.ts'
import type { LeaseholdServer, ServerAnswer } from './server.ts'

/** More than the 20 s for which the server waits for one answer of Cassandra. */
const writeTimeoutMs = 30_000
const readTimeoutMs = 10_000
/** How long a hint waits for a change, in milliseconds. An interrupted waiter may have to wait for this long. */
const hintWaitMs = 1_000
/** How many names' last seen holders the store remembers: a hint asks for a change from that holder. */
const remembered = 1_000

export interface HttpLeaseStoreOptions {
  /** The id of a table in the server's configuration; left out: the server's own table. */
  table?: string | undefined
  /** `paxos_variant` of the cluster behind the server; left out: v1, the safe assumption, which needs a TTL of 11 s. */
  paxosVariant?: PaxosVariant | undefined
}

/**
 * @example
 * const store = new HttpLeaseStore(new LeaseholdServer({ url: 'http://localhost:3000', token }))
 * await using lease = await new Leases({ store }).acquire('billing/invoice-run', { ttlSeconds: 30 })
 */
export class HttpLeaseStore implements LeaseStore {
  /** In a table without a value column the server refuses values. */
  readonly columns: StoreColumns = { owner: true, value: true }
  readonly paxosVariant: PaxosVariant
  readonly repeats = true
  readonly #server: LeaseholdServer
  readonly #table: string | undefined
  readonly #lastSeen = new BoundedMap<string, string | null>(remembered)

  constructor(server: LeaseholdServer, { table, paxosVariant = 'v1' }: HttpLeaseStoreOptions = {}) {
    this.paxosVariant = paxosVariant
    this.#server = server
    this.#table = table
  }

  async acquire({ name, owner, value, ttlSeconds }: AcquireWrite): Promise<CasAnswer> {
    const answer = await this.#put(name, writeTimeoutMs, {
      owner,
      ttlSeconds,
      // A try by the owner that holds the lease changes nothing, as on Cassandra.
      acquireOnly: true,
      value: value ?? undefined,
    })
    if (answer.status === 201) {
      this.#mustBe(owner, answer)
      return { applied: true }
    }
    if (answer.code === 'lock-held') return { applied: false, found: this.#holder(name, answer) }
    throw this.#server.refusal('PUT', answer)
  }

  async renew({ name, owner, value, knownValue, ttlSeconds, giveUpAfterMs }: RenewWrite): Promise<CasAnswer> {
    if (value === null && knownValue !== null)
      throw new InvalidArgumentError('The API cannot clear a value; write an empty one.')
    const timeoutMs = Math.min(writeTimeoutMs, giveUpAfterMs ?? writeTimeoutMs)
    const body = { owner, ttlSeconds, renewOnly: true, value: value ?? undefined }
    const answer = await this.#put(name, timeoutMs, body)
    if (answer.status === 200) {
      this.#mustBe(owner, answer)
      return { applied: true }
    }
    return this.#notHolder('PUT', name, answer)
  }

  async release({ name, owner }: ReleaseWrite): Promise<CasAnswer> {
    const answer = await this.#server.ask({
      method: 'DELETE',
      path: ['locks', name],
      query: { owner, table: this.#table },
      timeoutMs: writeTimeoutMs,
    })
    // A gateway may answer 204 to anything.
    if (answer.status !== 204 || !answer.hasRequestId) return this.#notHolder('DELETE', name, answer)
    return answer.isUncertain ? { applied: true, certain: false } : { applied: true }
  }

  /** @throws StoreRefusedError: the API breaks a lease by a release plan alone, which a person has seen */
  async quarantine({ name }: QuarantineWrite): Promise<never> {
    throw new StoreRefusedError(
      `${JSON.stringify(name)} cannot be broken through ${this.#server.host} without a release plan: make one in the console, or POST /v1/leases/{name}/release-plan.`,
    )
  }

  async read(name: string): Promise<ReadAnswer> {
    const answer = await this.#server.ask({
      method: 'GET',
      path: ['leases', name],
      query: { table: this.#table },
      timeoutMs: readTimeoutMs,
    })
    const { body } = answer
    const cells =
      answer.status === 200 ? cellsOf(body, body.now) : answer.code === 'not-held' ? null : undefined
    if (cells === undefined) throw this.#server.refusal('GET', answer)
    this.#lastSeen.set(name, cells?.owner ?? null)
    return {
      cells,
      coordinator: textOf(asFields(body.evidence).coordinator) ?? this.#server.host,
      statement: textOf(asFields(body.evidence).cql) ?? `GET /v1/leases/${encodeURIComponent(name)}`,
    }
  }

  /** The server answers when the holder differs from the last one seen, or after `hintWaitMs`. */
  async hint(name: string): Promise<LeaseHint | null> {
    const since = this.#lastSeen.get(name)
    const answer = await this.#server.ask({
      method: 'GET',
      path: ['locks', name],
      query: {
        table: this.#table,
        since: since === undefined ? undefined : (since ?? ''),
        wait: since === undefined ? undefined : `${hintWaitMs}ms`,
      },
      timeoutMs: hintWaitMs + readTimeoutMs,
    })
    if (answer.status === 200) return { owner: textOf(answer.body.owner), value: textOf(answer.body.value) }
    if (answer.code === 'not-held') return null
    throw this.#server.refusal('GET', answer)
  }

  /** Over the API every candidate is confirmed already, and the server decides on the pages. */
  async scan(range: ScanRange): Promise<ScanAnswer> {
    const { rows } = await listLeases(this.#server, range, this.#table)
    return { rows: rows.map(({ name, token }) => ({ name, token })) }
  }

  async scanRows(range: ScanRange): Promise<ScanRowsAnswer> {
    return listLeases(this.#server, range, this.#table)
  }

  #put(name: string, timeoutMs: number, body: object): Promise<ServerAnswer> {
    return this.#server.ask({
      method: 'PUT',
      path: ['locks', name],
      query: { table: this.#table },
      body,
      timeoutMs,
    })
  }

  /** Refuses an answer without our own owner id: it does not come from a Leasehold server. */
  #mustBe(owner: string, { status, body }: ServerAnswer): void {
    if (body.owner !== owner)
      throw new StatementUnknownError(
        `${this.#server.host} answers ${status}, but not as a Leasehold server does.`,
        'never',
      )
  }

  #notHolder(method: 'PUT' | 'DELETE', name: string, answer: ServerAnswer): CasAnswer {
    if (answer.code === 'not-holder') return { applied: false, found: this.#holder(name, answer) }
    if (answer.code === 'not-held') return { applied: false, found: null }
    throw this.#server.refusal(method, answer)
  }

  #holder(name: string, { body }: ServerAnswer): { owner: string | null } {
    const owner = textOf(asFields(body.holder).owner)
    this.#lastSeen.set(name, owner)
    return { owner }
  }
}
