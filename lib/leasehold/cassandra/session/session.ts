import type cassandra from 'cassandra-driver'
import { StoredTerms, type Terms } from '../../election/index.ts'
import { ClosedError, isLeaseholdError } from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import { runStatement } from '../driver/run-statement.ts'
import { CassandraLeaseStore } from '../leases/lease-store.ts'
import { CassandraResignRequests } from '../leases/resign-requests.ts'
import { CassandraSequenceStore } from '../stores/sequence-store.ts'
import { CassandraTermStore } from '../stores/term-store.ts'
import { CassandraTicketStore } from '../stores/ticket-store.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import type { ExecutedRows, Executor } from './executor.ts'
import type { SerialLevel, Statement } from './statement.ts'

/** What a session is made of. `connect` makes it; another session will do as well. */
export interface SessionParts {
  /** The one that may modify. */
  readonly client: cassandra.Client
  /** The one that plain SELECTs go over; the same, unless reading has a role of its own. */
  readonly reader: cassandra.Client
  readonly keyspace: string
  readonly serial: SerialLevel
  /** What is to be known about `serial` in this cluster, in a sentence; null: it is the right one. */
  readonly serialAdvice: string | null
  readonly facts: ClusterFacts
  /** As the cluster says; else as it was set; else v1, the careful one. */
  readonly paxosVariant: PaxosVariant
  /** Ends the clients that `connect` made. A client of the caller's is not among them. */
  close(): Promise<void>
}

/**
 * A connection to Cassandra, or two where reading has a role of its own, and the stores on it, each made when it is
 * first asked for. Their tables are those of `createTables`.
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
  readonly #parts: SessionParts
  #closing: Promise<void> | undefined
  #store: CassandraLeaseStore | undefined
  #tickets: CassandraTicketStore | undefined
  #resignRequests: CassandraResignRequests | undefined
  #terms: Terms | undefined
  #sequences: CassandraSequenceStore | undefined

  constructor(parts: SessionParts) {
    this.client = parts.client
    this.reader = parts.reader
    this.keyspace = parts.keyspace
    this.serial = parts.serial
    this.serialAdvice = parts.serialAdvice
    this.facts = parts.facts
    this.paxosVariant = parts.paxosVariant
    this.#parts = parts
  }

  /** The table `leases`. For another one: `new CassandraLeaseStore(session, mapping)`. */
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

  /** The terms of elections. */
  get terms(): Terms {
    this.#terms ??= new StoredTerms({ store: new CassandraTermStore(this) })
    return this.#terms
  }

  get sequences(): CassandraSequenceStore {
    this.#sequences ??= new CassandraSequenceStore(this)
    return this.#sequences
  }

  /** Runs one prepared statement. @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError, ClosedError */
  async execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    if (this.#closing !== undefined) throw new ClosedError()
    const client = /^\s*SELECT\b/i.test(statement.cql) ? this.reader : this.client
    try {
      return await runStatement(client, statement, params)
    } catch (thrown) {
      // It was under way when the session was closed, and was not sent: to try again is of no use.
      if (this.#closing !== undefined && isLeaseholdError(thrown, 'store-unavailable'))
        throw new ClosedError(undefined, { cause: thrown })
      throw thrown
    }
  }

  /** Nodes the driver knows, and those it can talk to, for reading and for writing. */
  nodes(): { nodes: number; nodesUp: number } {
    const hosts = this.client.hosts.values()
    const up = hosts.filter((host) => host.isUp() && this.reader.hosts.get(host.address)?.isUp() === true)
    return { nodes: hosts.length, nodesUp: up.length }
  }

  /** Whether all nodes that are up have the same schema. */
  schemaAgreement(): Promise<boolean> {
    // Missing in the driver's own types.
    return (
      this.client.metadata as unknown as { checkSchemaAgreement(): Promise<boolean> }
    ).checkSchemaAgreement()
  }

  /**
   * Closes what `connect` opened, within two seconds whatever the cluster does; the process can end then. A client that
   * the caller gave stays open. Statements from now on are refused with `ClosedError`.
   */
  close(): Promise<void> {
    this.#closing ??= this.#parts.close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
