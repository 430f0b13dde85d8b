/**
 * A client of the driver that can be closed.
 *
 * Why `client.shutdown()` is not enough (4.10.0): when its control connection breaks and no host has another one, the
 * driver puts a new `Host` in the place of each old one (`ControlConnection._initializeConnection`), and forgets the
 * old: its interval, its reconnecting and its connections go on, and keep the process alive for ever. A connection that
 * is being opened while the client shuts down lives for 12 s; and a silent cluster keeps a shutdown waiting.
 */
import type cassandra from 'cassandra-driver'
import { systemTimer } from '../../time/index.ts'
import { restoreOnceAtATime } from './control-connection.ts'

/** How long a shutdown in order may take, in milliseconds. */
const closeWithinMs = 2_000

/** As they are in the driver, 4.10.0; little of it is public. */
interface DriverConnection {
  emitDrain: boolean
  netClient?: { destroyed: boolean; destroy(): void }
  openAsync(): Promise<void>
  closeAsync(): Promise<void>
  close(): void
  emit(event: 'drain'): void
}
interface DriverHost {
  pool?: { _createConnection(): DriverConnection }
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
    // One that was replaced may still have answers to come: it drains, and opens nothing more.
    control.hosts.on('remove', (host) => {
      this.#hosts.delete(host)
      void host.shutdown(true)
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

  #opened(connection: DriverConnection): DriverConnection {
    for (const each of this.#connections) if (each.netClient?.destroyed) this.#connections.delete(each)
    this.#connections.add(connection)
    return connection
  }
}

function end(connection: DriverConnection): void {
  // Its pool waits for this with a timer of 12 s.
  if (connection.emitDrain) connection.emit('drain')
  connection.close()
  connection.netClient?.destroy()
}
