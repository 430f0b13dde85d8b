import type cassandra from 'cassandra-driver'
import { StoredTerms, type Terms } from '../../election/index.ts'
import { EventRecorder } from '../../history/index.ts'
import { ClosedError, isLeaseholdError, StoreUnavailableError } from '../../lease/index.ts'
import { noTelemetry, type Telemetry } from '../../telemetry/index.ts'
import { type PaxosVariant, systemClock, systemTimer } from '../../time/index.ts'
import { prepareAhead } from '../driver/gate/send-gate.ts'
import { isSelect, runStatement } from '../driver/run-statement.ts'
import { endOfTurn } from '../driver/together.ts'
import { CassandraEventStore } from '../history/event-store.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { CassandraResignRequests } from '../leases/resign-requests.ts'
import { CassandraSequenceStore } from '../stores/sequence-store.ts'
import { CassandraTermStore } from '../stores/term-store.ts'
import { CassandraTicketStore } from '../stores/ticket-store.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { contendedReadAgain } from './contended-read.ts'
import type { ExecutedRows, Executor } from './executor.ts'
import { reported } from './reported.ts'
import type { SerialLevel, Statement } from './statement.ts'

/** The parts of a session. `connect` makes them; those of another session fit too. */
export interface SessionParts {
  /** The client whose role may modify. */
  readonly client: cassandra.Client
  /** The client for all SELECTs, those at SERIAL too; the same, unless there is a second role for reading. */
  readonly reader: cassandra.Client
  readonly keyspace: string
  readonly serial: SerialLevel
  /** Advice on `serial` in this cluster, as a sentence; null: it is the right level. */
  readonly serialAdvice: string | null
  readonly facts: ClusterFacts
  /** The cluster's own; else the setting; else v1, the safe assumption. */
  readonly paxosVariant: PaxosVariant
  readonly telemetry?: Telemetry | undefined
  /** Leases that are made with it record their history. */
  readonly recordEvents?: boolean | undefined
  /** Closes the clients that `connect` made, never the caller's own. */
  close(): Promise<void>
}

export interface SessionNode {
  /** `host:port`. */
  readonly address: string
  readonly dataCenter: string
}

/**
 * A connection to Cassandra, or two when there is a second role for reading, and its stores. The session makes each
 * store at its first use. The tables are those of `createTables`.
 *
 * @example
 * const leases = new Leases(session)
 * await using lease = await leases.acquire('jobs/report', { waitMs: 10_000 })
 */
export class CassandraSession implements Executor, SessionParts {
  readonly client: cassandra.Client
  readonly reader: cassandra.Client
  readonly keyspace: string
  readonly serial: SerialLevel
  readonly serialAdvice: string | null
  readonly facts: ClusterFacts
  readonly paxosVariant: PaxosVariant
  readonly telemetry: Telemetry
  readonly #parts: SessionParts
  #closing: Promise<void> | undefined
  #store: CassandraLeaseStore | undefined
  #tickets: CassandraTicketStore | undefined
  #resignRequests: CassandraResignRequests | undefined
  #terms: Terms | undefined
  #sequences: CassandraSequenceStore | undefined
  #events: EventRecorder | undefined

  constructor(parts: SessionParts) {
    this.client = parts.client
    this.reader = parts.reader
    this.keyspace = parts.keyspace
    this.serial = parts.serial
    this.serialAdvice = parts.serialAdvice
    this.facts = parts.facts
    this.paxosVariant = parts.paxosVariant
    this.telemetry = parts.telemetry ?? noTelemetry
    this.#parts = parts
  }

  /** The leases in the table `leases`. For another table: `new CassandraLeaseStore(session, mapping)`. */
  get store(): CassandraLeaseStore {
    this.#store ??= new CassandraLeaseStore(this)
    return this.#store
  }

  /** The queues of the table `leases`. */
  get tickets(): CassandraTicketStore {
    this.#tickets ??= new CassandraTicketStore(this)
    return this.#tickets
  }

  /** Requests to the holders of the table `leases`. */
  get resignRequests(): CassandraResignRequests {
    this.#resignRequests ??= new CassandraResignRequests(this)
    return this.#resignRequests
  }

  /** What records the history of leases made with it; undefined: it was made without `recordEvents`. */
  get events(): EventRecorder | undefined {
    if (this.#parts.recordEvents !== true) return undefined
    this.#events ??= new EventRecorder({
      store: new CassandraEventStore(this),
      clock: systemClock,
      timer: systemTimer,
    })
    return this.#events
  }

  /** The terms of elections. */
  get terms(): Terms {
    this.#terms ??= new StoredTerms({
      store: new CassandraTermStore(this),
      telemetry: this.telemetry,
    })
    return this.#terms
  }

  get sequences(): CassandraSequenceStore {
    this.#sequences ??= new CassandraSequenceStore(this)
    return this.#sequences
  }

  /**
   * Runs one prepared statement. @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError, ClosedError
   */
  async execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    if (this.#closing !== undefined) throw new ClosedError()
    if (this.telemetry === noTelemetry) return this.#execute(statement, params)
    return reported(this.telemetry, statement, () => this.#execute(statement, params))
  }

  /** Has it prepared before its first use, in the background. */
  prepare(statement: Statement): void {
    if (this.#closing === undefined) void prepareAhead(this.#clientFor(statement), statement.cql)
  }

  #clientFor(statement: Statement): cassandra.Client {
    return isSelect(statement) ? this.reader : this.client
  }

  async #execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    const client = this.#clientFor(statement)
    try {
      return await contendedReadAgain(statement, () => runStatement(client, statement, params))
    } catch (thrown) {
      // Closed before the statement was sent, or while it was read: a retry cannot help. A write that may have happened
      // keeps its error, which says so.
      const isClosed = this.#closing !== undefined && isLeaseholdError(thrown, 'store-unavailable')
      if (isClosed && !thrown.mayHaveHappened) throw new ClosedError(undefined, { cause: thrown })
      throw thrown
    }
  }

  /**
   * Runs a SELECT with one node as its coordinator: for tables that each node keeps for itself.
   * @param address of `nodeList`
   * @throws StoreUnavailableError also when the driver keeps no connection to that node; StoreRefusedError, ClosedError
   */
  async executeOn(address: string, statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    if (this.#closing !== undefined) throw new ClosedError()
    const host = this.reader.hosts.get(address)
    if (host === undefined) throw new StoreUnavailableError(`The driver knows no node ${address}.`)
    return runStatement(this.reader, statement, params, host)
  }

  /** Every node that the driver knows. */
  nodeList(): SessionNode[] {
    return this.reader.hosts
      .values()
      .map(({ address, datacenter }) => ({ address, dataCenter: datacenter ?? '' }))
  }

  /** The number of nodes that the driver knows, and of those that it can use for both reading and writing. */
  nodes(): { nodes: number; nodesUp: number } {
    const hosts = this.client.hosts.values()
    const up = hosts.filter((host) => host.isUp() && this.reader.hosts.get(host.address)?.isUp() === true)
    return { nodes: hosts.length, nodesUp: up.length }
  }

  /** Whether all nodes that are up have the same schema. */
  schemaAgreement(): Promise<boolean> {
    // The driver's types lack this method.
    return (
      this.client.metadata as unknown as { checkSchemaAgreement(): Promise<boolean> }
    ).checkSchemaAgreement()
  }

  /**
   * Closes what `connect` opened, within two seconds whatever the cluster does; the process can end then. The caller's
   * own client stays open. From this call on, every statement throws `ClosedError`.
   */
  close(): Promise<void> {
    // What was asked for before is handed to the driver at the end of this turn, and is written by the end of the next.
    this.#closing ??= endOfTurn()
      .then(endOfTurn)
      .then(() => this.#parts.close())
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
