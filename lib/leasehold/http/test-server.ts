/** For tests alone: an HTTP server that gives a test's scripted answers, one for each request. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wholeBody } from '../test/whole-body.ts'

interface Asked {
  method: string
  url: string
  body: unknown
  headers: IncomingMessage['headers']
}
/** `cut`: the connection breaks; `silent`: no answer ever comes. */
export type Answer =
  | { status: number; body?: unknown; type?: string; headers?: Record<string, string> }
  | 'cut'
  | 'silent'

export const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  type: 'application/problem+json',
  body: {
    type: `urn:leasehold:problem:${code}`,
    title: code,
    status,
    code,
    detail: `It is ${code}.`,
    ...more,
  },
})

export async function scriptedServer() {
  const asked: Asked[] = []
  let answers: Answer[] = []
  const http = createServer(async (request, response) => {
    const text = await wholeBody(request)
    if (text === undefined) return
    const { method = '', url = '', headers } = request
    asked.push({ method, url, headers, body: text === '' ? null : JSON.parse(text) })
    const answer = answers.shift() ?? { status: 599 }
    if (answer === 'silent') return
    if (answer === 'cut') return void request.socket.destroy()
    const { status, body, type = 'application/json' } = answer
    response.writeHead(status, { 'Content-Type': type, Location: 'http://127.0.0.1:1/', ...answer.headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** The requests since the last script. */
    asked,
    script(...next: Answer[]) {
      answers = next
      asked.length = 0
    },
    async close() {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
}
