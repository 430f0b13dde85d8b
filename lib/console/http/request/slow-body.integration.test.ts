/** Bodies that trickle in over real sockets: each connection ends in time, and other requests are answered meanwhile. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Api } from '../api.ts'
import { RequestLimits } from '../limits/request-limits.ts'
import { log } from '../log/log.ts'
import { serve } from '../router.ts'
import { bodyWithinMs } from './json-body.ts'

const origin = 'http://localhost:3000'
const api = {
  config: { publicUrl: new URL(origin), trustProxy: false },
  log,
  noteRefusal: () => {},
  requestLimits: new RequestLimits(log),
} as unknown as Api

/** As a host of the API does it. */
async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const init = { method: message.method, headers: { ...message.headers } as Record<string, string> }
  const body = message.method === 'POST' ? { body: Readable.toWeb(message), duplex: 'half' } : {}
  const answered = await serve(
    new Request(`${origin}${message.url}`, { ...init, ...body } as RequestInit),
    api,
  )
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(await answered.text())
}

let server: Server
let port: number
beforeAll(async () => {
  server = createServer((message, response) => void answer(message, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends a byte every half second. @returns what came back until the connection ended, and after how long */
function trickle(): Promise<{ text: string; afterMs: number }> {
  const started = performance.now()
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /v1/session HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: 30000\r\n\r\n{`,
  )
  const sending = setInterval(() => socket.write(' '), 500)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  return new Promise((ended) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(sending)
      ended({ text, afterMs: performance.now() - started })
    })
  })
}

it('ends bodies that trickle for ever after ten seconds', async () => {
  const ended = await Promise.all(Array.from({ length: 50 }, trickle))
  for (const { text, afterMs } of ended) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('"code":"body-too-slow"')
    expect(afterMs).toBeGreaterThan(bodyWithinMs - 500)
    expect(afterMs).toBeLessThan(bodyWithinMs + 8_000)
  }
}, 40_000)
