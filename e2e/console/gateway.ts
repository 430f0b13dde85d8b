/**
 * An HTTP gateway in front of a console, at the address that browsers use: it holds answers back, breaks or replaces them. So a
 * test can have what a bad network does to some files of a page and not to others.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of an answer: it goes on, waits for `release()`, ends with the connection, or is replaced by a problem. */
export type Fate = 'pass' | 'hold' | 'cut' | { status: number; code: string }

export class Gateway {
  /** Decides about each answer, whole as the console gave it. */
  fate: (path: string, body: string) => Fate = () => 'pass'
  /** What happens while a request is on its way to the console. */
  onItsWay: (method: string, path: string) => Promise<void> = async () => {}
  /** How late each answer of the API is, as that of a server that is busy. */
  lateByMs = 0
  /** How many answers did not pass. */
  spoiled = 0
  readonly #server: Server
  readonly #held: (() => void)[] = []
  /** Each with what waits for the end of a silence. A network loses nothing out of the middle of a connection. */
  readonly #streams = new Map<ServerResponse, Buffer[]>()
  #isSilent = false
  /** The console's address, which it takes for its only one. */
  readonly #console: URL

  private constructor(server: Server, to: string) {
    this.#server = server
    this.#console = new URL(to)
  }

  /** @param to the address of a console */
  static async listen(to: string): Promise<Gateway> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const gateway = new Gateway(server, to)
    server.on('request', (asked, answer) => gateway.#forward(asked, answer))
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Streams that are open stay so, and nothing that they say comes through until it is false again: of new ones neither. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  set isSilent(silent: boolean) {
    this.#isSilent = silent
    if (silent) return
    for (const [answer, held] of this.#streams) for (const piece of held.splice(0)) answer.write(piece)
  }

  /** Lets go of all that is held, and of all that follows. */
  release(): void {
    this.fate = () => 'pass'
    for (const go of this.#held.splice(0)) go()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Passes on what a stream says, as it says it. */
  #stream(from: IncomingMessage, answer: ServerResponse): void {
    const held: Buffer[] = []
    this.#streams.set(answer, held)
    answer.writeHead(from.statusCode ?? 502, from.headers).flushHeaders()
    from.on('data', (piece: Buffer) => {
      if (this.#isSilent) held.push(piece)
      else answer.write(piece)
    })
    from.on('end', () => answer.end())
    from.on('error', () => answer.destroy())
    answer.on('close', () => {
      this.#streams.delete(answer)
      from.destroy()
    })
  }

  /** Ends all streams that are open. */
  cutStreams(): void {
    for (const stream of this.#streams.keys()) stream.destroy()
  }

  #forward(asked: IncomingMessage, answer: ServerResponse): void {
    const { 'accept-encoding': _, ...headers } = asked.headers
    const { host, hostname, port, origin } = this.#console
    headers.host = host
    if (headers.origin === this.url) headers.origin = origin
    const path = asked.url ?? '/'
    const lateByMs = path.startsWith('/v1/') ? this.lateByMs : 0
    const forwarded = request(
      // A connection of its own: one that was kept is closed by the console after five seconds, and a request that crosses that fails.
      { hostname, port, method: asked.method, path, headers, agent: false },
      (from) => {
        if (from.headers['content-type']?.startsWith('text/event-stream')) {
          setTimeout(() => this.#stream(from, answer), lateByMs)
          return
        }
        const parts: Buffer[] = []
        from.on('data', (part: Buffer) => parts.push(part))
        from.on('end', () => {
          const body = Buffer.concat(parts)
          const send = () => answer.writeHead(from.statusCode ?? 502, from.headers).end(body)
          const go = () => setTimeout(send, lateByMs)
          const fate = this.fate(path, body.toString())
          if (fate !== 'pass') this.spoiled++
          if (fate === 'pass') go()
          else if (fate === 'hold') this.#held.push(go)
          else if (fate === 'cut') answer.destroy()
          else refuse(answer, fate)
        })
      },
    )
    forwarded.on('error', () => answer.destroy())
    this.onItsWay(asked.method ?? '', path).then(
      () => asked.pipe(forwarded),
      () => answer.destroy(),
    )
  }
}

function refuse(answer: ServerResponse, { status, code }: Exclude<Fate, string>): void {
  const problem = { type: 'about:blank', title: code, status, code, detail: code }
  answer.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
}
