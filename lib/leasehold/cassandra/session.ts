import cassandra from 'cassandra-driver'
import { StoreUnavailableError } from '../lease/index.ts'
import type { PaxosVariant } from '../time/index.ts'
import { restoreOnceAtATime } from './control-connection.ts'
import { fromDriver } from './driver-error.ts'
import { quoteIdentifier } from './identifiers.ts'
import type { SerialLevel, Statement } from './statements.ts'

export interface ConnectOptions {
  /** `host` or `host:port`. */
  contactPoints: string[]
  localDataCenter: string
  /** Where tables are looked for that do not name their own keyspace. It need not exist yet. */
  keyspace: string
  username?: string
  password?: string
  /**
   * A role of its own for whatever only reads: plain SELECTs go over a second connection, signed in as this one.
   * Everything else needs SELECT and MODIFY, a conditional write both.
   */
  reader?: { username: string; password: string }
  /** PEM texts. Given: TLS, always verified. */
  tls?: { ca: string; cert?: string; key?: string }
  serial?: SerialLevel
}

export interface ExecutedRows {
  rows: Record<string, unknown>[]
  coordinator: string
}

/** A driver session, or two where reading has a role of its own, with the settings that conditional writes need. */
export class CassandraSession {
  /** The one that may modify. */
  readonly client: cassandra.Client
  /** The one that plain SELECTs go over; the same, unless reading has a role of its own. */
  readonly reader: cassandra.Client
  readonly keyspace: string
  readonly serial: SerialLevel
  /** As the cluster is set; v1 where nobody could tell. */
  readonly paxosVariant: PaxosVariant = 'v1'
  /** What the cluster calls itself. */
  readonly clusterName: string

  constructor(
    client: cassandra.Client,
    keyspace: string,
    serial: SerialLevel,
    clusterName: string,
    reader = client,
  ) {
    this.client = client
    this.reader = reader
    this.keyspace = keyspace
    this.serial = serial
    this.clusterName = clusterName
  }

  /** Runs one prepared statement. @throws StoreUnavailableError, StoreRefusedError, StatementUnknownError */
  async execute(statement: Statement, params: unknown[]): Promise<ExecutedRows> {
    try {
      const client = /^\s*SELECT\b/i.test(statement.cql) ? this.reader : this.client
      const result = await client.execute(statement.cql, params, {
        prepare: true,
        consistency: statement.consistency,
        ...(statement.serialConsistency !== undefined && { serialConsistency: statement.serialConsistency }),
        readTimeout: statement.readTimeoutMs,
        // Never idempotent: the driver would send a conditional write again behind our back.
        isIdempotent: false,
      })
      return {
        rows: (result.rows ?? []) as unknown as Record<string, unknown>[],
        coordinator: result.info.queriedHost,
      }
    } catch (thrown) {
      throw fromDriver(thrown, statement.serialConsistency === undefined ? 'read' : 'conditional write')
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

  async close(): Promise<void> {
    await Promise.all([...new Set([this.client, this.reader])].map((client) => client.shutdown()))
  }
}

/**
 * Connects to a cluster.
 * @throws StoreUnavailableError when no contact point answers, StoreRefusedError on wrong credentials
 * @example
 * const session = await connect({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'leasehold' })
 */
export async function connect(options: ConnectOptions): Promise<CassandraSession> {
  quoteIdentifier('keyspace', options.keyspace)
  const client = await connected(options)
  try {
    const reader = options.reader && (await connected({ ...options, ...options.reader }))
    const local = await (reader ?? client).execute('SELECT cluster_name FROM system.local')
    const clusterName = String(local.first()?.cluster_name)
    return new CassandraSession(client, options.keyspace, options.serial ?? 'SERIAL', clusterName, reader)
  } catch (thrown) {
    await client.shutdown().catch(() => {})
    throw thrown
  }
}

async function connected(options: ConnectOptions): Promise<cassandra.Client> {
  const { policies } = cassandra
  const client = new cassandra.Client({
    contactPoints: options.contactPoints,
    localDataCenter: options.localDataCenter,
    ...(options.username !== undefined && {
      credentials: { username: options.username, password: options.password ?? '' },
    }),
    ...(options.tls !== undefined && { sslOptions: { ...options.tls, rejectUnauthorized: true } }),
    // writetime and token do not fit into a number.
    encoding: { useBigIntAsLong: true },
    // 4.x and 5.0 refuse version 5 of the older drafts: saves a reconnect at start.
    protocolOptions: { maxVersion: 4 },
    policies: {
      // The driver's own would send an Unavailable conditional write again, on the next node.
      retry: new policies.retry.FallthroughRetryPolicy(),
      // A cluster that is back is seen a second later, not after up to ten minutes.
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(1000),
    },
    pooling: { heartBeatInterval: 5_000 },
    // Reads give up early, and dozens of them at once: that must not cost a write its connection, and so its answer.
    socketOptions: { connectTimeout: 3_000, defunctReadTimeoutThreshold: 4_096 },
    refreshSchemaDelay: 1_000,
  })
  restoreOnceAtATime(client)
  try {
    await client.connect()
  } catch (thrown) {
    await client.shutdown().catch(() => {})
    const inner = Object.values((thrown as cassandra.errors.NoHostAvailableError).innerErrors ?? {})[0]
    throw inner instanceof Error ? unreachable(inner) : fromDriver(thrown, 'read')
  }
  return client
}

/** Why a contact point could not be used: its own words, where they are not the credentials'. */
function unreachable(inner: Error): Error {
  if (inner.name === 'AuthenticationError' || inner.name === 'ResponseError') return fromDriver(inner, 'read')
  return new StoreUnavailableError(`No node of Cassandra can be reached: ${inner.message}`, { cause: inner })
}
