/** Bodies that trickle in over real sockets: each connection ends in time, and other requests are answered meanwhile. */
import { type AddressInfo, connect } from 'node:net'
import { systemClock } from 'leasehold/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNodeServer, type NodeServer } from '../adapters/node-server.ts'
import type { Api } from '../api.ts'
import { costlyPerSecond, RequestLimits } from '../limits/request-limits.ts'
import { log } from '../log/log.ts'
import { respond } from '../router.ts'
import { bodyWithinMs } from './json-body.ts'

const publicUrl = new URL('http://localhost:3000')
const { origin } = publicUrl
const api = {
  clock: systemClock,
  config: { publicUrl, trustProxy: false },
  log,
  requestLog: log,
  noteRefusal: () => {},
  reads: {},
  requestLimits: new RequestLimits(log),
  devices: { known: async () => null },
} as unknown as Api

let node: NodeServer
let port: number
beforeAll(async () => {
  node = createNodeServer({
    respond: (request) => respond(request, api),
    limitPage: async () => null,
    page: async () => {},
    publicUrl,
    failed: () => {},
  })
  await new Promise<void>((listening) => node.server.listen(0, '127.0.0.1', listening))
  port = (node.server.address() as AddressInfo).port
})
afterAll(() => node.close())

const everyMs = 500
/**
 * Sends a byte every half second.
 * @param bytes the announced length
 * @returns what came back until the connection ended, after how long, and how many bytes had been sent. Sender and server share this
 *   process: a stop of several seconds sends one byte.
 */
function trickle(bytes: number): Promise<{ text: string; afterMs: number; sent: number }> {
  const started = performance.now()
  let sent = 0
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /v1/session HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
  )
  const sending = setInterval(() => {
    sent++
    socket.write(' ')
  }, everyMs)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  return new Promise((ended) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(sending)
      ended({ text, afterMs: performance.now() - started, sent })
    })
  })
}

it('ends bodies that trickle for ever after ten seconds', async () => {
  // As many as one address may begin in a second.
  const ended = await Promise.all(Array.from({ length: costlyPerSecond }, () => trickle(8_000)))
  for (const { text, afterMs, sent } of ended) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('"code":"body-too-slow"')
    expect(afterMs).toBeGreaterThan(bodyWithinMs - 500)
    expect(sent).toBeLessThan((bodyWithinMs + 8_000) / everyMs)
  }
})

it('ends the connection of a request that was refused, although its body trickles on', async () => {
  const ended = await Promise.all(Array.from({ length: 50 }, () => trickle(30_000)))
  const statuses = ended.map(({ text }) => text.slice(9, 12))
  expect(new Set(statuses)).toEqual(new Set(['413', '429']))
  for (const { sent } of ended) expect(sent).toBeLessThan(10_000 / everyMs)
})
