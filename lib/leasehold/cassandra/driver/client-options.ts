import cassandra from 'cassandra-driver'
import type { Telemetry } from '../../telemetry/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { SerialLevel } from '../session/statement.ts'

interface SessionOptions {
  /** The keyspace of tables that name none. It need not exist yet. */
  keyspace: string
  /** `SERIAL` unless given. One level for every program that uses a table. */
  serial?: SerialLevel | undefined
  /** The cluster's `paxos_variant`, for a role that may not read it in `system_views.settings`. */
  paxosVariant?: PaxosVariant | undefined
  /** Where the session, and the leases made with it, report metrics and traces; left out: nowhere. */
  telemetry?: Telemetry | undefined
  /**
   * true: leases made with this session write their history into `tables.lease_events`: acquired, each renewal, released, or lost
   * and why. Left out: they do not. Other settings: `new EventRecorder({ store: new CassandraEventStore(session, …) })`.
   */
  recordEvents?: boolean | undefined
}

/** For `connect` to a cluster. */
export interface ConnectOptions extends SessionOptions {
  client?: undefined
  /** `host` or `host:port`. */
  contactPoints: string[]
  localDataCenter: string
  username?: string | undefined
  password?: string | undefined
  /**
   * A second role for all SELECTs, those at SERIAL too: the session sends them over a second connection, signed in as this role. The first
   * role needs SELECT and MODIFY, since a conditional write needs both.
   */
  reader?: { username: string; password: string } | undefined
  /** PEM texts. Given: TLS, always verified. */
  tls?: { ca: string; cert?: string | undefined; key?: string | undefined } | undefined
  /**
   * Other settings of the driver: pooling, load balancing, profiles, … They cannot change what safety depends on: no
   * retries, no idempotent statements, exact bigints, verified TLS.
   */
  driverOptions?: Partial<cassandra.ClientOptions> | undefined
}

/** For `connect` over the caller's own driver client. The caller shuts it down: `session.close()` does not. */
export interface ConnectClientOptions extends SessionOptions {
  client: cassandra.Client
}

/** The driver's settings. The library's win where safety depends on them; elsewhere the caller's win. */
export function clientOptions(options: ConnectOptions): cassandra.ClientOptions {
  const { policies } = cassandra
  const { contactPoints, localDataCenter, username, password = '', tls, driverOptions = {} } = options
  const merged: cassandra.ClientOptions = {
    refreshSchemaDelay: 1_000,
    ...driverOptions,
    contactPoints,
    localDataCenter,
    // The first use of a statement would wait for each node that is silent, 12 s; nodes that lack it ask for it.
    prepareOnAllHosts: false,
    // writetime and token do not fit into a number.
    encoding: { ...driverOptions.encoding, useBigIntAsLong: true },
    // Cassandra 4.x and 5.0 refuse the driver's draft of version 5: this saves a reconnect at the start.
    protocolOptions: { maxVersion: 4, ...commonPort(contactPoints), ...driverOptions.protocolOptions },
    policies: {
      // Reconnects a second after a cluster is back; the driver's default may take ten minutes.
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(1000),
      ...driverOptions.policies,
      // The driver's default sends a conditional write again, on the next node, after the error Unavailable.
      retry: new policies.retry.FallthroughRetryPolicy(),
    },
    pooling: { heartBeatInterval: 5_000, ...driverOptions.pooling },
    // Dozens of reads may give up at once. The driver must not close their connection: a write's answer may be due on
    // it.
    socketOptions: {
      connectTimeout: 3_000,
      defunctReadTimeoutThreshold: 4_096,
      ...driverOptions.socketOptions,
    },
    queryOptions: { ...driverOptions.queryOptions, isIdempotent: false },
  }
  if (username !== undefined) merged.credentials = { username, password }
  // The driver verifies certificates only with this option.
  if (tls !== undefined || driverOptions.sslOptions !== undefined)
    merged.sslOptions = { ...driverOptions.sslOptions, ...tls, rejectUnauthorized: true }
  return merged
}

/** Cassandra names its nodes without their ports, and the driver would look for all but the contact points at 9042. */
function commonPort(contactPoints: string[]): { port?: number } {
  const ports = new Set(contactPoints.map((point) => /^(?:[^:]*|\[.*\]):(\d+)$/.exec(point)?.[1]))
  const [port] = ports
  return ports.size === 1 && port !== undefined ? { port: Number(port) } : {}
}
