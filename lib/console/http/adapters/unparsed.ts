import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpProblem, problemAnswer } from '../http-problem.ts'

/**
 * Answers what Node could not parse, with a problem as everything else has: Node's own answer is a bare status. The
 * connection ends with it, because nothing says where the next request would begin.
 * @param begun an answer on this connection has begun, and must not be written into
 */
export function answerUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: readonly (readonly [string, string])[],
  begun: boolean,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const answer = problemAnswer(problemOf(error), requestId)
  const text = answer.text ?? ''
  const fields = Object.entries({
    ...Object.fromEntries(headers),
    ...answer.headers,
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${text}`)
}

function problemOf({ code }: NodeJS.ErrnoException): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem('headers-too-large', 'The request line and the headers are longer than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpProblem('body-too-slow', 'The request did not arrive in time.')
  return new HttpProblem('bad-request', 'The request is not HTTP/1.1.')
}
