import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A TCP proxy between a client and a real Cassandra, for faults that a node does not produce on demand: answers that
 * come late or never, connections that break, a node that cannot be reached.
 *
 * @example
 * const proxy = await FaultProxy.listen('127.0.0.1', 9042)
 * const session = await connect({ contactPoints: [proxy.contactPoint], localDataCenter: 'datacenter1', keyspace: 'leasehold' })
 */
export class FaultProxy {
  readonly #server: Server
  readonly #pairs = new Set<{ client: Socket; node: Socket }>()
  #holding = false
  #refusing = false
  #trigger: string | undefined
  readonly #awaited = new Set<{ bytes: string; come: () => void }>()

  private constructor(host: string, port: number) {
    this.#server = createServer((client) => {
      if (this.#refusing) return client.destroy()
      const node = connect(port, host)
      const pair = { client, node }
      this.#pairs.add(pair)
      const end = () => {
        this.#pairs.delete(pair)
        client.destroy()
        node.destroy()
      }
      for (const socket of [client, node]) socket.on('error', end).on('close', end)
      client.on('data', (chunk) => {
        if (this.#trigger !== undefined && chunk.includes(this.#trigger)) {
          this.#trigger = undefined
          this.holdAnswers()
        }
        for (const each of this.#awaited)
          if (chunk.includes(each.bytes)) {
            this.#awaited.delete(each)
            each.come()
          }
        node.write(chunk)
      })
      node.on('data', (chunk) => client.write(chunk))
      if (this.#holding) node.pause()
    })
  }

  /** @param host where Cassandra listens @param port its native protocol's port */
  static async listen(host: string, port: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(host, port)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    return proxy
  }

  get contactPoint(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From now on requests reach the node, and no answer comes back. */
  holdAnswers(): void {
    this.#holding = true
    for (const { node } of this.#pairs) node.pause()
  }

  /**
   * Holds answers back from the first request that contains these bytes, to lose the answer of one statement. Look for
   * a bound value: a prepared statement does not contain its text.
   */
  holdAfter(bytes: string): void {
    this.#trigger = bytes
  }

  /** Resolves when the next request that contains these bytes has come. Look for a bound value, as with `holdAfter`. */
  requested(bytes: string): Promise<void> {
    return new Promise((come) => this.#awaited.add({ bytes, come }))
  }

  /** Delivers the answers that were held back, and all later ones. */
  deliverAnswers(): void {
    this.#holding = false
    for (const { node } of this.#pairs) node.resume()
  }

  /** Breaks every connection; answers that were held back are lost for good. New connections are accepted. */
  cut(): void {
    this.#holding = false
    for (const { client, node } of this.#pairs) {
      client.destroy()
      node.destroy()
    }
  }

  /** Breaks every connection, and accepts none until `restore`. */
  refuse(): void {
    this.#refusing = true
    this.cut()
  }

  restore(): void {
    this.#refusing = false
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
