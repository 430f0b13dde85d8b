/**
 * The one server of a console's port: the API is answered here, pages by Next in the same process.
 *
 * Every request meets, in this order: its id, the headers that all answers have, the way to the API or to a page, and for
 * a page the check of its method. What Node refuses while it parses (a malformed request line, headers over 16 KiB) is
 * answered by unparsed.ts. What answers of the API hold in memory until they are read has a bound: connections/unread-answers.ts. A
 * connection has one page at a time: connections/own-turn.ts. A request to upgrade (`h2c`, as Java's client offers) is answered in HTTP/1.1, as if it had none:
 * so nothing may listen for `upgrade`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ConnectionShares } from '../connections/connection-shares.ts'
import { ownTurn } from '../connections/own-turn.ts'
import { UnreadAnswers } from '../connections/unread-answers.ts'
import { HttpProblem, problemAnswer } from '../http-problem.ts'
import { nameRequest } from '../log/request-id.ts'
import { securityHeaders } from '../security-headers.ts'
import type { Answer, ApiRequest } from './api-request.ts'
import { FixedHeaders, NodeRequest, writeAnswer } from './node-request.ts'
import { ignoreUnserved, unreadable } from './page-headers.ts'
import { targetOf } from './target.ts'
import { answerConnect, answerUnparsed } from './unparsed.ts'

interface NodeServerOptions {
  /** Answers the API. Never rejects. */
  respond(request: ApiRequest): Promise<Answer>
  /** @returns null: the page may be rendered. Else the seconds after which its sender may ask again. */
  limitPage(path: string, from: Pick<ApiRequest, 'headers' | 'socketAddress'>): Promise<number | null>
  /** Renders pages and files. */
  page(request: IncomingMessage, response: ServerResponse, from: ApiRequest): Promise<void>
  publicUrl: URL
  /** Left out: each address may have all connections. */
  shares?: ConnectionShares
  /** Left out: `connectionsMax`. */
  maxConnections?: number
  /** Logs the errors of pages. */
  failed(error: unknown): void
}

/** The time for a whole request, where no step reads its body: refused ones too hold their connection no longer. */
const requestWithinMs = 30_000
/**
 * A connection on which nothing moves: an answer that its sender does not read. A request may wait
 * for 60 s on purpose, and an act with its audit entries may take another minute.
 */
const idleMs = 150_000
/** How long the body of a request that was answered already may take. */
const unreadBodyMs = 2_000
/** How long closing waits for answers under way; `npm start` waits 10 s for this process. */
const answersWithinMs = 6_000
/**
 * Connections at once; Node closes what comes above it. One address may have a share of them: connections/connection-shares.ts. A request that waits holds one, and 2,000 leases are watched at a
 * time (leases/holders.ts). An idle connection holds some 10 KB.
 */
const connectionsMax = 5_000
/** Requests of one connection that wait for their turn. Today's clients send one after the other. */
const pipelinedMax = 64
/** A browser whose stream has ended comes back at once, and would hold its connection. */
const goodbyeMs = 300

export interface NodeServer {
  readonly server: Server
  /**
   * Takes no more connections, waits for the answers that are being made, and closes what is left. End waiting requests
   * before.
   */
  close(): Promise<void>
}

export function createNodeServer({
  respond,
  limitPage,
  page,
  publicUrl,
  shares,
  maxConnections = connectionsMax,
  failed,
}: NodeServerOptions): NodeServer {
  const plain = securityHeaders('/', publicUrl)
  const fixed = new FixedHeaders(plain)
  const open = new Set<ServerResponse>()
  /** The requests of each connection whose answers were not sent in full. */
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>()
  /** The last request of each connection. */
  const last = new WeakMap<Duplex, ServerResponse>()
  /** What the API got. */
  const ofApi = new WeakMap<IncomingMessage, NodeRequest>()
  /** Connections that Node can no longer parse, or whose time is over. What still comes is no request, or is too late. */
  const broken = new WeakSet<Duplex>()
  const unread = new UnreadAnswers()
  let closing = false

  /** @returns its id; null: it is not carried out, and its connection ends */
  const receive = (request: IncomingMessage, response: ServerResponse): string | null => {
    const { socket } = request
    const ofSocket = unanswered.get(socket) ?? new Set()
    if (ofSocket.size >= pipelinedMax) socket.destroy()
    // Node parses what it has read to its end.
    if (socket.destroyed || broken.has(socket)) return null
    unanswered.set(socket, ofSocket.add(response))
    open.add(response)
    last.set(socket, response)
    response.once('close', () => {
      open.delete(response)
      ofSocket.delete(response)
    })
    if (closing) response.setHeader('Connection', 'close')
    return nameRequest(request)
  }
  const refuse = (response: ServerResponse, problem: HttpProblem, requestId: string) =>
    writeAnswer(response, problemAnswer(problem, requestId), { headers: fixed, requestId })

  // Node's own answer to a request without a host has none of our headers.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const requestId = receive(request, response)
    if (requestId === null) return
    if (request.headers.host === undefined && request.httpVersion !== '1.0')
      return refuse(response, noHost(), requestId)
    const target = targetOf(request.url ?? '/')
    if (target.kind !== 'api') {
      response.setHeader('X-Request-Id', requestId)
      const path = target.kind === 'page' ? (target.path.split('?', 1)[0] as string) : '/'
      for (const [name, value] of securityHeaders(path, publicUrl)) response.setHeader(name, value)
    }
    switch (target.kind) {
      case 'api': {
        const asked = new NodeRequest(request, response, target.path)
        ofApi.set(request, asked)
        respond(asked)
          .then((answer) => {
            writeAnswer(response, answer, { headers: fixed, requestId }, unread)
            closeUnlessRead(request)
          })
          .catch((error) => {
            failed(error)
            response.destroy()
          })
        return
      }
      case 'server':
        return answerServer(request, response)
      case 'bad':
        return sayBad(response, target.detail)
      case 'page': {
        if (!mayBeSent(request, response)) return
        const from = new NodeRequest(request, response, target.path)
        limitPage(target.path, from)
          .then(async (afterSeconds) => {
            if (afterSeconds !== null) return sayLater(response, afterSeconds)
            const wrong = unreadable(request.headers)
            if (wrong !== null) return say(response, 400, wrong)
            if (!(await ownTurn(response))) return
            request.url = target.path
            ignoreUnserved(request.headers)
            return page(request, response, from)
          })
          .catch((error) => {
            failed(error)
            if (response.headersSent) return response.destroy()
            response.statusCode = 500
            response.end('The server failed unexpectedly. See its log, under this request id.\n')
          })
      }
    }
  })
  // Nor has its answer to `Expect: something`. `Expect: 100-continue` is Node's to answer.
  server.on('checkExpectation', (request, response) => {
    const requestId = receive(request, response)
    if (requestId !== null) refuse(response, cannotExpect(), requestId)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (broken.has(socket) && error.code !== 'ECONNRESET') return
    broken.add(socket)
    const earlier = [...open].filter(({ req }) => req.socket === socket && req.complete)
    const latest = last.get(socket)
    const lastOfApi = latest && ofApi.get(latest.req)
    void answerUnparsed(error, socket, plain, { earlier, last: latest, lastOfApi })
  })
  server.requestTimeout = requestWithinMs
  server.headersTimeout = requestWithinMs
  server.timeout = idleMs
  server.maxConnections = maxConnections
  server.on('drop', () => shares?.full(maxConnections))
  // Node signals the end of a connection to the answer that is being written, and not to those behind it.
  server.on('connection', (socket) => {
    shares?.take(socket)
    socket.once('close', () => {
      for (const response of unanswered.get(socket) ?? []) {
        if (response.socket !== null) continue
        response.destroy()
        response.emit('close')
      }
    })
  })
  server.on('connect', (request, socket) => {
    const earlier = [...(unanswered.get(socket) ?? [])]
    const requestId = nameRequest(request)
    void answerConnect(socket, plain, { earlier, requestId, withinMs: idleMs })
  })

  return {
    server,
    async close() {
      closing = true
      const closed = new Promise<void>((done) => {
        server.close(() => done())
      })
      for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close')
      await Promise.race([Promise.all([allClosed(open), after(goodbyeMs)]), after(answersWithinMs)])
      server.closeAllConnections()
      await closed
    },
  }
}

/** The connection ends with the answer: what the sender sends next cannot be interpreted. */
const close = { Connection: 'close' }
const noHost = () => new HttpProblem('bad-request', 'The header Host is missing.', {}, close)
const cannotExpect = () =>
  new HttpProblem(
    'expectation-failed',
    'The header Expect asks for something other than 100-continue. Leave it out.',
    {},
    close,
  )

/**
 * A request that is answered before its body has arrived: its sender may read the answer, and does not hold the connection
 * with a body that never ends.
 */
function closeUnlessRead(request: IncomingMessage): void {
  if (request.complete) return
  const timer = setTimeout(() => {
    // Otherwise the connection may be on its next request.
    if (!request.complete) request.socket.destroy()
  }, unreadBodyMs)
  request.once('close', () => clearTimeout(timer))
}

const allClosed = (open: ReadonlySet<ServerResponse>) =>
  Promise.all([...open].map((response) => new Promise((done) => response.once('close', done))))

const after = (ms: number) => new Promise((done) => setTimeout(done, ms))

const pageMethods = 'GET, HEAD'

/** Pages are read. Anything else is refused before Next sees it: it would take a POST for an action, and fail over others. */
function mayBeSent(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return true
  response.setHeader('Allow', pageMethods)
  if (method === 'OPTIONS') {
    response.statusCode = 204
    response.end()
  } else say(response, 405, `${method} is not possible here; ${pageMethods} are.`)
  return false
}

function answerServer({ method }: IncomingMessage, response: ServerResponse): void {
  if (method === 'OPTIONS') {
    response.statusCode = 204
    response.setHeader('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    response.end()
  } else sayBad(response, 'The request line names no path.')
}

const sayBad = (response: ServerResponse, detail: string) =>
  say(response, 400, `${detail} Names are percent-encoded in a path.`, 'No such address')

function sayLater(response: ServerResponse, afterSeconds: number): void {
  response.setHeader('Retry-After', String(afterSeconds))
  say(
    response,
    429,
    `Too many pages were opened from your address. Wait ${afterSeconds} s.`,
    'Too many pages',
  )
}

/** A sentence for a person who followed a broken link: plain HTML, without Next and without scripts. */
function say(response: ServerResponse, status: number, sentence: string, title = 'Not possible'): void {
  response.statusCode = status
  // What is left of a refused body is not waited for.
  response.setHeader('Connection', 'close')
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="en"><title>${title} · Leasehold</title><h1>${title}</h1><p>${sentence}</p><p><a href="/">All leases</a></p></html>\n`,
  )
}
