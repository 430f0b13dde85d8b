/** A proxy before a node that sends back each frame as it came. */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StatementProxy } from './statement-proxy.ts'

/** On a busy machine too. */
const withinMs = 30_000

let node: Server
let proxy: StatementProxy
const opened: Socket[] = []
beforeEach(async () => {
  node = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as { port: number }
  proxy = await StatementProxy.listen('127.0.0.1', port, { at: { host: '127.0.0.2', port: 0 } })
})
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await proxy.close()
  node.close()
})

/** OPTIONS, which a client sends to see whether the node is there. */
const frame = Buffer.from([0x04, 0, 0, 1, 0x05, 0, 0, 0, 0])

async function client(): Promise<{ send(): void; read: () => number; ended: () => boolean }> {
  const [host, port] = proxy.contactPoint.split(':')
  const socket = connect(Number(port), host)
  opened.push(socket)
  let [bytes, ended] = [0, false]
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.on('close', () => {
    ended = true
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { send: () => socket.write(frame), read: () => bytes, ended: () => ended }
}

it('listens where it is asked to', () => {
  expect(proxy.contactPoint).toMatch(/^127\.0\.0\.2:\d+$/)
})

it('frozen, it keeps connections open, accepts new ones, and passes nothing on until it is restored', async () => {
  const before = await client()
  before.send()
  await vi.waitFor(() => expect(before.read()).toBe(frame.length), withinMs)
  proxy.freeze()
  const later = await client()
  before.send()
  later.send()
  // A proxy that passes frames on has passed this one on by the time at which another proxy's frame has come back.
  const other = await StatementProxy.listen('127.0.0.1', (node.address() as { port: number }).port)
  const [host, port] = other.contactPoint.split(':')
  const socket = connect(Number(port), host)
  opened.push(socket)
  socket.write(frame)
  await once(socket, 'data')
  await other.close()
  expect([before.read(), later.read()]).toEqual([frame.length, 0])
  expect([before.ended(), later.ended()]).toEqual([false, false])
  proxy.restore()
  await vi.waitFor(
    () => expect([before.read(), later.read()]).toEqual([2 * frame.length, frame.length]),
    withinMs,
  )
})

it('refusing, it breaks connections and takes none until it is restored', async () => {
  const before = await client()
  proxy.refuse()
  await vi.waitFor(() => expect(before.ended()).toBe(true), withinMs)
  const refused = await client()
  await vi.waitFor(() => expect(refused.ended()).toBe(true), withinMs)
  proxy.restore()
  const after = await client()
  after.send()
  await vi.waitFor(() => expect(after.read()).toBe(frame.length), withinMs)
})
