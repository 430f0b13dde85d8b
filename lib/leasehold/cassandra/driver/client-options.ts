import cassandra from 'cassandra-driver'
import type { PaxosVariant } from '../../time/index.ts'
import type { SerialLevel } from '../session/statement.ts'

interface SessionOptions {
  /** Where tables are looked for that do not name their own keyspace. It need not exist yet. */
  keyspace: string
  /** `SERIAL` unless given. One level for every program that uses a table. */
  serial?: SerialLevel | undefined
  /** For a role that may not read `system_views.settings`: how the cluster's `paxos_variant` is set. */
  paxosVariant?: PaxosVariant | undefined
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
   * A role of its own for whatever only reads: plain SELECTs go over a second connection, signed in as this one.
   * Everything else needs SELECT and MODIFY, a conditional write both.
   */
  reader?: { username: string; password: string } | undefined
  /** PEM texts. Given: TLS, always verified. */
  tls?: { ca: string; cert?: string | undefined; key?: string | undefined } | undefined
  /**
   * More of the driver's settings: pooling, load balancing, profiles, … Those that safety depends on are not to be
   * changed by it: no retries, nothing idempotent, exact bigints, verified TLS.
   */
  driverOptions?: Partial<cassandra.ClientOptions> | undefined
}

/** For `connect` over a client of the driver that the caller has, and shuts down: `session.close()` does not. */
export interface ConnectClientOptions extends SessionOptions {
  client: cassandra.Client
}

/** The driver's settings: its caller's under ours where safety is concerned, over ours elsewhere. */
export function clientOptions(options: ConnectOptions): cassandra.ClientOptions {
  const { policies } = cassandra
  const { contactPoints, localDataCenter, username, password = '', tls, driverOptions = {} } = options
  const merged: cassandra.ClientOptions = {
    refreshSchemaDelay: 1_000,
    ...driverOptions,
    contactPoints,
    localDataCenter,
    // writetime and token do not fit into a number.
    encoding: { ...driverOptions.encoding, useBigIntAsLong: true },
    // 4.x and 5.0 refuse version 5 of the older drafts: saves a reconnect at start.
    protocolOptions: { maxVersion: 4, ...driverOptions.protocolOptions },
    policies: {
      // A cluster that is back is seen a second later, not after up to ten minutes.
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(1000),
      ...driverOptions.policies,
      // The driver's own would send an Unavailable conditional write again, on the next node.
      retry: new policies.retry.FallthroughRetryPolicy(),
    },
    pooling: { heartBeatInterval: 5_000, ...driverOptions.pooling },
    // Reads give up early, and dozens of them at once: that must not cost a write its connection, and so its answer.
    socketOptions: {
      connectTimeout: 3_000,
      defunctReadTimeoutThreshold: 4_096,
      ...driverOptions.socketOptions,
    },
    queryOptions: { ...driverOptions.queryOptions, isIdempotent: false },
  }
  if (username !== undefined) merged.credentials = { username, password }
  // The driver verifies nothing unless it is asked to.
  if (tls !== undefined || driverOptions.sslOptions !== undefined)
    merged.sslOptions = { ...driverOptions.sslOptions, ...tls, rejectUnauthorized: true }
  return merged
}
