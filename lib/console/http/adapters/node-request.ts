/**
 * A request of `node:http` as the API reads it, and an answer as Node writes it. Measured in one process, CPU of a small
 * GET with its answer: 20 µs so, 120 µs through the web's `Request` and `Response`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UnreadAnswers } from '../connections/unread-answers.ts'
import type { HttpProblem } from '../http-problem.ts'
import type { Answer, AnswerStream, ApiHeaders, ApiRequest, BodyReader } from './api-request.ts'

export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly headers: ApiHeaders
  readonly socketAddress: string | undefined
  readonly #response: ServerResponse
  readonly #body: MessageBody | null
  #abort: AbortController | undefined

  /** @param target the path and the query */
  constructor(message: IncomingMessage, response: ServerResponse, target: string) {
    const { method = 'GET', headers, socket } = message
    this.method = method
    this.url = `http://localhost${target}`
    this.headers = { get: (name) => oneText(headers[name]) }
    this.#body = hasBody(message) ? new MessageBody(message) : null
    this.socketAddress = socket.remoteAddress
    this.#response = response
  }

  get body(): { getReader(): BodyReader } | null {
    return this.#body
  }

  /** The rest of the body is not read: each read that is under way or comes later fails with `problem`. */
  failBody(problem: HttpProblem): void {
    this.#body?.fail(problem)
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      const response = this.#response
      const left = () => {
        if (!response.writableFinished) abort.abort()
      }
      // A handler may ask for the signal after the client has gone: `close` does not come twice.
      if (response.destroyed) left()
      else response.once('close', left)
      this.#abort = abort
    }
    return this.#abort.signal
  }
}

const oneText = (given: string | string[] | undefined): string | null =>
  Array.isArray(given) ? given.join(', ') : (given ?? null)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

class MessageBody {
  readonly #message: IncomingMessage
  #problem: HttpProblem | undefined
  #refuse: (problem: HttpProblem) => void = () => {}

  constructor(message: IncomingMessage) {
    this.#message = message
  }

  getReader(): BodyReader {
    const chunks: AsyncIterator<Uint8Array, undefined> = this.#message[Symbol.asyncIterator]()
    return {
      read: () =>
        new Promise((done, refuse) => {
          if (this.#problem !== undefined) return refuse(this.#problem)
          this.#refuse = refuse
          const next = chunks.next() as ReturnType<BodyReader['read']>
          next.then(done, refuse)
        }),
      // Ending the iterator would destroy the socket, and with it the answer that says why.
      cancel: async () => {},
    }
  }

  fail(problem: HttpProblem): void {
    this.#problem = problem
    this.#refuse(problem)
  }
}

/** The headers of every answer: they are not the API's to change. */
export class FixedHeaders {
  readonly pairs: readonly (readonly [string, string])[]
  readonly #names: ReadonlySet<string>

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.pairs = pairs
    this.#names = new Set([...pairs.map(([name]) => name.toLowerCase()), 'x-request-id'])
  }

  /** All headers of one answer, as Node takes a list of them: name, value, name, value, … */
  with(requestId: string, { headers, cookies = [] }: Pick<Answer, 'headers' | 'cookies'>): string[] {
    const all = ['X-Request-Id', requestId]
    for (const [name, value] of this.pairs) all.push(name, value)
    for (const name in headers)
      if (!this.#names.has(name.toLowerCase())) all.push(name, headers[name] as string)
    for (const cookie of cookies) all.push('Set-Cookie', cookie)
    return all
  }
}

/** Writes an answer. @param fixed those of its headers that all answers have, and the id of its request */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  { headers, requestId }: { headers: FixedHeaders; requestId: string },
  unread?: UnreadAnswers,
): void {
  const { status, text, stream } = answer
  // The connection is gone, and with it the sender.
  if (response.destroyed) {
    stream?.closed()
    return
  }
  const all = headers.with(requestId, answer)
  if (stream !== undefined) {
    response.writeHead(status, all)
    writeStream(response, stream, unread)
    return
  }
  // Without it Node would send the answer in chunks. What has no body has no length either.
  const hasBody = status !== 204 && status !== 304 && response.req.method !== 'HEAD'
  if (hasBody) all.push('Content-Length', String(Buffer.byteLength(text ?? '')))
  // One list: headers that are set one by one are checked, kept and copied one by one, for each answer.
  response.writeHead(status, all).end(text)
  if (text !== null) unread?.add(response, text)
}

function writeStream(response: ServerResponse, stream: AnswerStream, unread?: UnreadAnswers): void {
  response.on('drain', () => {
    unread?.drained(response)
    stream.drained()
  })
  response.once('close', () => stream.closed())
  response.flushHeaders()
  stream.open({
    write: (text) => {
      if (response.writableEnded) return false
      const takesMore = response.write(text)
      if (!takesMore) unread?.add(response, text)
      return takesMore
    },
    end: () => response.end(),
  })
}
