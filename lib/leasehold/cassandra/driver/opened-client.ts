/**
 * A client of the driver that can be closed.
 *
 * Why `client.shutdown()` is not enough (4.10.0): when its control connection breaks and no host has another one, the
 * driver puts a new `Host` in the place of each old one (`ControlConnection._initializeConnection`), and forgets the
 * old: its interval, its reconnecting and its connections go on, and keep the process alive for ever. A connection that
 * breaks before its STARTUP is answered is never cleaned up (`Connection.close` returns at once): its heartbeat goes on
 * for ever too. One that is being opened while the client shuts down lives for 12 s; and a silent cluster keeps a
 * shutdown waiting.
 */
import type cassandra from 'cassandra-driver'
import { systemTimer } from '../../time/index.ts'
import { restoreOnceAtATime } from './control-connection.ts'

/** How long a shutdown in order may take, in milliseconds. */
const closeWithinMs = 2_000
/** How long answers are waited for over connections that were replaced: longer than a statement waits. */
const drainWithinMs = 25_000

/** As they are in the driver, 4.10.0; little of it is public. */
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

  /** @param client made a moment ago: what it opened before is not known here */
  constructor(client: cassandra.Client) {
    this.client = client
    restoreOnceAtATime(client, this.#closing.signal)
    this.#follow()
  }

  /** Within two seconds, whatever the cluster does; nothing of the client is left then. Never throws. */
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

  /** Learns of every host and every connection. A driver of another make is left as it is. */
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
      // As the driver does it, but known from the beginning: opening it may take 12 s.
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
   * A host that was replaced may still have answers to come: its connections drain. Not by `shutdown(true)`, which leaves
   * a timer of 12 s behind, and a pool that may connect again.
   */
  #retire(host: DriverHost): void {
    const connections = host.pool?.connections ?? []
    if (host.pool !== undefined) host.pool.connections = []
    void host.shutdown(false)
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

/** When the socket closes, whatever state the connection is in: its requests fail, and its heartbeat ends. */
function cleanUpAfter(connection: DriverConnection): void {
  const bind = connection.bindSocketListeners
  const setIdleTimeout = connection._setIdleTimeout
  if (typeof bind !== 'function' || typeof setIdleTimeout !== 'function') return
  const ended = () => {
    // A write that is called back later would begin the next heartbeat.
    connection._setIdleTimeout = () => {}
    connection.clearAndInvokePending()
  }
  connection.bindSocketListeners = () => {
    // It may be opened a second time, with another version of the protocol.
    connection._setIdleTimeout = setIdleTimeout
    bind.call(connection)
    connection.netClient?.once('close', ended)
  }
}

function end(connection: DriverConnection): void {
  connection.close()
  connection.netClient?.destroy()
}
