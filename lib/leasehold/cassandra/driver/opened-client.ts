/**
 * A client of the driver that can be closed.
 *
 * Why `client.shutdown()` is not enough (4.10.0). Each of these keeps the process alive:
 * - The control connection breaks, and no host has another connection. The driver then replaces each `Host` by a new
 *   one (`ControlConnection._initializeConnection`) and forgets the old one, whose interval, reconnection and
 *   connections go on for ever.
 * - A connection breaks before its STARTUP is answered. `Connection.close` returns at once, without cleaning up, and
 *   the heartbeat goes on for ever.
 * - A connection that is being opened during the shutdown lives for 12 s.
 * - A shutdown waits for a silent cluster.
 */
import type cassandra from 'cassandra-driver'
import { systemTimer } from '../../time/index.ts'
import { restoreOnceAtATime } from './control-connection.ts'

/** How long the driver's own shutdown may take, in milliseconds. */
const closeWithinMs = 2_000
/** How long to wait for answers over the connections of a replaced host: longer than any statement waits. */
const drainWithinMs = 25_000

/** Mostly private fields of the driver 4.10.0. */
interface DriverConnection {
  emitDrain: boolean
  netClient?: { destroyed: boolean; destroy(): void; once(event: 'close', listener: () => void): void }
  bindSocketListeners(): void
  clearAndInvokePending(): void
  _setIdleTimeout?: () => void
  openAsync(): Promise<void>
  closeAsync(): Promise<void>
  close(): void
  getInFlight(): number
  once(event: 'drain', listener: () => void): void
}
interface DriverHost {
  pool?: { connections: DriverConnection[]; _createConnection(): DriverConnection }
  shutdown(waitForPending: boolean): Promise<void>
}
interface DriverHosts {
  on(event: 'add' | 'remove', listener: (host: DriverHost) => void): void
}
interface ControlConnection {
  hosts: DriverHosts
  options: unknown
  _createConnection(contactPoint: string): Promise<DriverConnection>
  shutdown(): void
}
type ConnectionClass = new (contactPoint: string, version: null, options: unknown) => DriverConnection

export class OpenedClient {
  readonly client: cassandra.Client
  readonly #closing = new AbortController()
  readonly #hosts = new Set<DriverHost>()
  readonly #connections = new Set<DriverConnection>()
  #closed: Promise<void> | undefined

  /** @param client a new one: connections that it has opened before are not followed */
  constructor(client: cassandra.Client) {
    this.client = client
    restoreOnceAtATime(client, this.#closing.signal)
    this.#follow()
  }

  /** Closes the client and all its connections within two seconds, whatever the cluster does. Never throws. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    const ended = new AbortController()
    const inOrder = this.client
      .shutdown()
      .catch(() => {})
      .finally(() => ended.abort())
    await Promise.race([inOrder, systemTimer.sleep(closeWithinMs, ended.signal)])
    for (const host of this.#hosts) void host.shutdown(false).catch(() => {})
    for (const connection of this.#connections) end(connection)
    this.#control?.shutdown()
  }

  get #control(): ControlConnection | undefined {
    return (this.client as unknown as { controlConnection?: ControlConnection }).controlConnection
  }

  /** Keeps a list of every host and every connection. A driver without these fields stays as it is. */
  #follow(): void {
    const control = this.#control
    if (typeof control?._createConnection !== 'function' || typeof control.hosts?.on !== 'function') return
    control.hosts.on('add', (host) => this.#added(host))
    control.hosts.on('remove', (host) => {
      this.#hosts.delete(host)
      this.#retire(host)
    })
    const create = control._createConnection
    let Connection: ConnectionClass | undefined
    control._createConnection = async (contactPoint) => {
      this.#closing.signal.throwIfAborted()
      if (Connection === undefined) {
        const first = await create.call(control, contactPoint)
        Connection = first.constructor as ConnectionClass
        return this.#opened(first)
      }
      // The driver does the same, but its list lacks the connection until it is open, which may take 12 s.
      const connection = this.#opened(new Connection(contactPoint, null, control.options))
      try {
        await connection.openAsync()
      } catch (thrown) {
        void connection.closeAsync().catch(() => {})
        throw thrown
      }
      return connection
    }
  }

  #added(host: DriverHost): void {
    this.#hosts.add(host)
    const { pool } = host
    const create = pool?._createConnection
    if (pool === undefined || create === undefined) return
    pool._createConnection = () => {
      this.#closing.signal.throwIfAborted()
      return this.#opened(create.call(pool))
    }
  }

  /**
   * Drains the connections of a replaced host, on which answers may still come. `shutdown(true)` of the host would
   * leave a timer of 12 s behind, and a pool that may connect again.
   */
  #retire(host: DriverHost): void {
    const connections = host.pool?.connections ?? []
    if (host.pool !== undefined) host.pool.connections = []
    void host.shutdown(false).catch(() => {})
    for (const connection of connections) {
      if (connection.getInFlight() === 0) {
        connection.close()
        continue
      }
      connection.emitDrain = true
      connection.once('drain', () => connection.close())
      void systemTimer.sleep(drainWithinMs, this.#closing.signal).then(() => connection.close())
    }
  }

  #opened(connection: DriverConnection): DriverConnection {
    for (const each of this.#connections) if (each.netClient?.destroyed) this.#connections.delete(each)
    this.#connections.add(connection)
    cleanUpAfter(connection)
    return connection
  }
}

/** When the socket closes, in whatever state, fails the connection's requests and ends its heartbeat. */
function cleanUpAfter(connection: DriverConnection): void {
  const bind = connection.bindSocketListeners
  const setIdleTimeout = connection._setIdleTimeout
  if (typeof bind !== 'function' || typeof setIdleTimeout !== 'function') return
  const ended = () => {
    // A later callback of a write would begin the next heartbeat.
    connection._setIdleTimeout = () => {}
    connection.clearAndInvokePending()
  }
  connection.bindSocketListeners = () => {
    // The driver may open the connection a second time, with another version of the protocol.
    connection._setIdleTimeout = setIdleTimeout
    bind.call(connection)
    connection.netClient?.once('close', ended)
  }
}

function end(connection: DriverConnection): void {
  connection.close()
  connection.netClient?.destroy()
}
