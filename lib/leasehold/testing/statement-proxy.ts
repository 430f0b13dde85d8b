import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import {
  executed,
  type Frame,
  FrameReader,
  opcodes,
  preparedId,
  preparedText,
  timeOutFrame,
  withLowerTtl,
} from './native-frames.ts'

/** One prepared statement on its way to the node. */
export interface PassingStatement {
  readonly cql: string
  /** The bound values, in the order of the text; null: a null. */
  readonly values: readonly (Buffer | null)[]
}

/** The fault of one statement. Times in milliseconds. */
export type StatementFault =
  /** The statement reaches the node this much later; its answer is passed on. */
  | { kind: 'hold-request'; ms: number }
  /**
   * Imitates a conditional write that begins early and is applied late. The statement waits in a queue, then contends,
   * and only then reaches the node, with its TTL lowered by the seconds of contention. So its cells have the expiry of
   * its start and the version of its end. Its answer is passed on. A statement without a TTL is only held.
   */
  | { kind: 'delayed'; queuedMs?: number; contendedMs: number }
  /** The statement reaches the node at once; its answer comes this much later. */
  | { kind: 'hold-answer'; ms: number }
  /** The statement reaches the node, and its answer is lost. */
  | { kind: 'swallow-answer' }
  /** The statement is lost with its connection. */
  | { kind: 'cut-before' }
  /** The statement reaches the node; the connection breaks before the answer. */
  | { kind: 'cut-after' }
  /** The connection breaks at once, and the statement reaches the node this much later. */
  | { kind: 'cut-late'; ms: number }
  /** The client gets the node's time-out. `arrives`: whether the statement reaches the node. */
  | { kind: 'time-out'; arrives: boolean }

export interface StatementProxyOptions {
  /** Called once for every execution of a prepared statement, and for no other request. */
  fault?: (statement: PassingStatement) => StatementFault | undefined
  /** Called for every statement that a client has prepared. @returns the milliseconds by which the node gets it later */
  prepares?: (cql: string) => number
  /** The same for what is sent without being prepared, as `USE` and the driver's own queries are. */
  queries?: (cql: string) => number
  /** Called when a statement is sent to the node. */
  arrives?: (statement: PassingStatement) => void
  /**
   * Called when the node has answered a statement, whether or not the client gets the answer. `failed`: by an error, so
   * that a conditional write may still be applied, where there are several nodes.
   */
  answered?: (statement: PassingStatement, failed: boolean) => void
}

/**
 * A TCP proxy between clients and a real Cassandra, for faults of single statements: the other statements on the same
 * connection pass. For faults of whole connections use `FaultProxy`.
 *
 * Guarantees: a request that is held back reaches the node, also when the client or its connection is gone by then.
 * Assumes: native protocol 3 or 4, neither compressed nor encrypted, as `connect` speaks it without TLS.
 *
 * @example
 * const proxy = await StatementProxy.listen('127.0.0.1', 9042, {
 *   fault: ({ cql }) => (cql.startsWith('DELETE') ? { kind: 'hold-request', ms: 25_000 } : undefined),
 * })
 */
export class StatementProxy {
  readonly #server: Server
  readonly #relays = new Set<Relay>()
  #refusing = false
  #frozen = false

  private constructor(host: string, port: number, options: StatementProxyOptions) {
    // The node makes the ids of prepared statements, the same on every connection.
    const texts = new Map<string, string>()
    this.#server = createServer((client) => {
      if (this.#refusing) return client.destroy()
      const relay = new Relay(client, connect(port, host), texts, options, () => this.#relays.delete(relay))
      this.#relays.add(relay)
      if (this.#frozen) relay.pause()
    })
  }

  /**
   * @param host where Cassandra listens @param port its native protocol's port
   * @param options `at`: where the proxy listens; left out: at any port of 127.0.0.1
   */
  static async listen(
    host: string,
    port: number,
    options: StatementProxyOptions & { at?: { host: string; port: number } } = {},
  ): Promise<StatementProxy> {
    const proxy = new StatementProxy(host, port, options)
    const at = options.at ?? { host: '127.0.0.1', port: 0 }
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(at.port, at.host, resolve)
    })
    return proxy
  }

  get contactPoint(): string {
    const { address, port } = this.#server.address() as AddressInfo
    return `${address}:${port}`
  }

  /** The number of statements that have not reached the node yet, or that the node has not answered. */
  get underWay(): number {
    return [...this.#relays].reduce((sum, relay) => sum + relay.underWay, 0)
  }

  /** Breaks every connection, and accepts none until `restore`. Statements under way still reach the node. */
  refuse(): void {
    this.#refusing = true
    for (const relay of this.#relays) relay.cut()
  }

  /** A network that loses nothing and delivers nothing until `restore`: connections stay open, and new ones open. */
  freeze(): void {
    this.#frozen = true
    for (const relay of this.#relays) relay.pause()
  }

  /** Ends `refuse` and `freeze`. What was held back is delivered. */
  restore(): void {
    this.#refusing = false
    this.#frozen = false
    for (const relay of this.#relays) relay.resume()
  }

  async close(): Promise<void> {
    for (const relay of this.#relays) relay.end()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** The second by the machine's clock, which the node reads too. */
const secondNow = () => Math.floor(Date.now() / 1000)

/** Whether the statement's first value is its TTL. */
const expires = ({ cql }: PassingStatement) => /^UPDATE \S+ USING TTL \? /.test(cql)

/** One client's connection, and its own connection to the node, which outlives it while statements are under way. */
class Relay {
  readonly #client: Socket
  readonly #node: Socket
  readonly #texts: Map<string, string>
  readonly #options: StatementProxyOptions
  readonly #gone: () => void
  readonly #preparing = new Map<number, string>()
  /** The handlers of faulty statements' answers, by stream. */
  readonly #answers = new Map<number, (bytes: Buffer) => void>()
  readonly #underWay = new Map<number, PassingStatement>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #cut = false

  constructor(
    client: Socket,
    node: Socket,
    texts: Map<string, string>,
    options: StatementProxyOptions,
    gone: () => void,
  ) {
    this.#client = client
    this.#node = node
    this.#texts = texts
    this.#options = options
    this.#gone = gone
    const [requests, answers] = [new FrameReader(), new FrameReader()]
    client.setNoDelay(true).on('data', (chunk) => {
      for (const frame of requests.push(chunk)) if (!this.#cut) this.#request(frame)
    })
    node.setNoDelay(true).on('data', (chunk) => {
      for (const frame of answers.push(chunk)) this.#answer(frame)
    })
    client.on('error', () => this.cut()).on('close', () => this.cut())
    node.on('error', () => this.end()).on('close', () => this.end())
  }

  get underWay(): number {
    return this.#underWay.size
  }

  pause(): void {
    this.#client.pause()
    this.#node.pause()
  }

  resume(): void {
    this.#client.resume()
    this.#node.resume()
  }

  /** Ends the client's connection; statements under way go on. */
  cut(): void {
    this.#cut = true
    this.#client.destroy()
    if (this.#underWay.size === 0) this.end()
  }

  end(): void {
    this.#cut = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#client.destroy()
    this.#node.destroy()
    this.#gone()
  }

  #request(frame: Frame): void {
    if (frame.opcode === opcodes.prepare || frame.opcode === opcodes.query) {
      // Both begin with the text.
      const text = preparedText(frame)
      const isPrepare = frame.opcode === opcodes.prepare
      if (isPrepare) this.#preparing.set(frame.stream, text)
      const heldMs = (isPrepare ? this.#options.prepares?.(text) : this.#options.queries?.(text)) ?? 0
      if (heldMs > 0) this.#after(heldMs, () => this.#node.write(frame.bytes))
      else this.#node.write(frame.bytes)
      return
    }
    if (frame.opcode !== opcodes.execute) {
      this.#node.write(frame.bytes)
      return
    }
    const { id, values } = executed(frame)
    const statement = { cql: this.#texts.get(id) ?? '', values }
    const fault = this.#options.fault?.(statement)
    const pass = (bytes = frame.bytes) => {
      this.#options.arrives?.(statement)
      this.#node.write(bytes)
    }
    if (fault?.kind === 'cut-before') this.cut()
    else if (fault?.kind === 'time-out' && !fault.arrives) this.#timeOut(frame, statement)
    else {
      this.#underWay.set(frame.stream, statement)
      if (fault?.kind === 'cut-late') this.cut()
      if (fault?.kind === 'cut-late' || fault?.kind === 'hold-request') this.#after(fault.ms, () => pass())
      else if (fault?.kind === 'delayed')
        this.#after(fault.queuedMs ?? 0, () => {
          const begun = secondNow()
          this.#after(fault.contendedMs, () =>
            pass(expires(statement) ? withLowerTtl(frame, secondNow() - begun) : frame.bytes),
          )
        })
      else pass()
      if (fault?.kind === 'cut-after') this.cut()
      if (fault?.kind === 'hold-answer')
        this.#answers.set(frame.stream, (bytes) => this.#after(fault.ms, () => this.#tell(bytes)))
      if (fault?.kind === 'swallow-answer') this.#answers.set(frame.stream, () => {})
      if (fault?.kind === 'time-out') this.#answers.set(frame.stream, () => this.#timeOut(frame, statement))
    }
  }

  #answer(frame: Frame): void {
    const text = this.#preparing.get(frame.stream)
    this.#preparing.delete(frame.stream)
    const id = text === undefined ? undefined : preparedId(frame)
    if (text !== undefined && id !== undefined) this.#texts.set(id, text)
    const instead = this.#answers.get(frame.stream)
    this.#answers.delete(frame.stream)
    if (instead === undefined) this.#tell(frame.bytes)
    else instead(frame.bytes)
    const statement = this.#underWay.get(frame.stream)
    if (statement === undefined) return
    this.#underWay.delete(frame.stream)
    this.#options.answered?.(statement, frame.opcode === opcodes.error)
    if (this.#cut && this.#underWay.size === 0) this.end()
  }

  #timeOut({ stream }: Frame, { cql }: PassingStatement): void {
    this.#tell(timeOutFrame(stream, cql.startsWith('SELECT') ? 'read' : 'conditional write'))
  }

  #tell(bytes: Buffer): void {
    if (!this.#cut) this.#client.write(bytes)
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, ms)
    this.#timers.add(timer)
  }
}
