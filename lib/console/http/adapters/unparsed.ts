import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpProblem, problemAnswer } from '../http-problem.ts'
import type { NodeRequest } from './node-request.ts'

/** The requests of a connection that Node can no longer parse. */
interface Asked {
  /** Requests that came whole, whose answers are not sent yet. */
  earlier: ServerResponse[]
  /** The last request, whose end may be what cannot be parsed; undefined: there was none. */
  last: ServerResponse | undefined
  /** `last` as the API got it; undefined: it went elsewhere. */
  lastOfApi: NodeRequest | undefined
}

/**
 * Answers what Node could not parse, with a problem as everything else has: Node's own answer is a bare status. Answers go
 * out in the order of their requests, so that this one waits for those before it. The connection ends with it, because
 * nothing says where the next request would begin. To be called once for a connection.
 *
 * A request that the API has begun is answered by the API: it alone knows whether the request is carried out. What is
 * missing of its body is never read, even if it comes.
 */
export async function answerUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: readonly (readonly [string, string])[],
  { earlier, last, lastOfApi }: Asked,
): Promise<void> {
  const isBegun = last?.req.complete === false && !last.headersSent && lastOfApi !== undefined
  if (isBegun && error.code !== 'ECONNRESET') {
    last.setHeader('Connection', 'close')
    return lastOfApi.failBody(problemOf(error))
  }
  if (error.code !== 'ECONNRESET') await Promise.all(earlier.map(closed))
  // The rest of a request that was answered before it was read.
  const isAnswered = last?.req.complete === false && last.headersSent
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy()
  else writeProblem(socket, problemOf(error), headers, randomUUID())
}

/**
 * Answers CONNECT, which asks for a tunnel: none is offered. Node gives the connection away for it, with answers to earlier requests
 * under way: they go out before this one.
 */
export async function answerConnect(
  socket: Duplex,
  headers: readonly (readonly [string, string])[],
  { earlier, requestId, withinMs }: { earlier: ServerResponse[]; requestId: string; withinMs: number },
): Promise<void> {
  // Node has taken its own listener away: without one, a client that resets the connection would end the process.
  socket.on('error', () => socket.destroy())
  // Nor does Node tell answers that more may be written, or end a connection on which nothing moves.
  socket.on('drain', () => {
    for (const response of earlier) if (response.socket === socket) response.emit('drain')
  })
  const timer = setTimeout(() => socket.destroy(), withinMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  await Promise.all(earlier.map(closed))
  if (socket.writable) writeProblem(socket, noTunnel(), headers, requestId)
}

const noTunnel = () =>
  new HttpProblem(
    'method-not-allowed',
    'This server is no proxy: CONNECT is not possible.',
    {},
    { Allow: 'GET, HEAD' },
  )

const closed = (response: ServerResponse) =>
  new Promise<void>((done) => {
    if (response.closed) done()
    else response.once('close', () => done())
  })

function writeProblem(
  socket: Duplex,
  problem: HttpProblem,
  headers: readonly (readonly [string, string])[],
  requestId: string,
): void {
  const answer = problemAnswer(problem, requestId)
  const { text } = answer
  const fields = Object.entries({
    ...Object.fromEntries(headers),
    ...answer.headers,
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  endWith(socket, `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${text}`)
}

/** For how long a sender may read its last answer, in milliseconds. */
const lingerMs = 1_000

/**
 * Sends the last answer of a connection, and ends it. What comes after it is read and dropped: else the end of the sender's side
 * would never be seen, and the connection would count for as long as this process runs.
 */
function endWith(socket: Duplex, text: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end(text)
}

function problemOf({ code }: NodeJS.ErrnoException): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem('headers-too-large', 'The request line and the headers are longer than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpProblem('body-too-slow', 'The request did not arrive in time. Nothing was done.')
  return new HttpProblem('bad-request', 'The request is not HTTP/1.1.')
}
