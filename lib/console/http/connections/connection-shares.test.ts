import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { FakeClock } from 'leasehold/testing'
import { afterEach, expect, it } from 'vitest'
import { createNodeServer, type NodeServer } from '../adapters/node-server.ts'
import type { Log } from '../log/log.ts'
import { ConnectionShares } from './connection-shares.ts'

const lines: unknown[] = []
const log: Pick<Log, 'warn'> = { warn: (fields: object) => void lines.push(fields) } as Pick<Log, 'warn'>
const sockets: Socket[] = []
let node: NodeServer | undefined

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await node?.close()
  node = undefined
  lines.length = 0
})

async function listen(shares: ConnectionShares): Promise<number> {
  node = createNodeServer({
    shares,
    maxConnections: 30,
    limitPage: async () => null,
    publicUrl: new URL('http://localhost:3000'),
    respond: async () => ({ status: 200, headers: {}, text: '{}' }),
    page: async (_, response) => void response.end('a page'),
    failed: () => {},
  })
  const { server } = node
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** Opens a connection from this address, and sends nothing. @returns whether the server ended it at once */
const idle = (port: number, localAddress: string) =>
  new Promise<'open' | 'closed'>((done) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => done('closed')).once('close', () => done('closed'))
    // The server's turn comes after the client's: its answer to a byte would say no more.
    socket.once('connect', () =>
      setImmediate(() => setImmediate(() => done(socket.destroyed ? 'closed' : 'open'))),
    )
  })

const asked = (port: number, localAddress: string) =>
  new Promise<string>((done) => {
    let heard = ''
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () =>
      socket.write('GET /v1/leases HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    )
    sockets.push(socket)
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    socket.on('error', () => {}).once('close', () => done(heard.split('\r\n', 1)[0] as string))
  })

const served = 'HTTP/1.1 200 OK'

it('a flood of idle connections from one address leaves the others their connections', async () => {
  const port = await listen(new ConnectionShares({ trustProxy: false, log, perAddress: 10 }))
  await Promise.all(Array.from({ length: 100 }, () => idle(port, '127.0.0.1')))
  expect(await asked(port, '127.0.0.2')).toBe(served)
  expect(await asked(port, '127.0.0.1')).toBe('')
  expect(lines).toEqual([{ act: 'connection-limit', address: '127.0.0.1', perAddress: 10 }])
  // Once the flood has ended, its address is served again.
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => asked(port, '127.0.0.1')).toBe(served)
})

it('without shares the same flood keeps the others out', async () => {
  const port = await listen(new ConnectionShares({ trustProxy: false, log, perAddress: 1_000 }))
  await Promise.all(Array.from({ length: 100 }, () => idle(port, '127.0.0.1')))
  expect(await asked(port, '127.0.0.2')).toBe('')
})

it('a trusted proxy on this machine has all connections', async () => {
  const port = await listen(new ConnectionShares({ trustProxy: true, log, perAddress: 10 }))
  await Promise.all(Array.from({ length: 20 }, () => idle(port, '127.0.0.1')))
  expect(await asked(port, '127.0.0.1')).toBe(served)
  expect(lines).toEqual([])
})

/** Whether a third connection of this address is ended. Two are allowed. */
function isThirdEnded(remoteAddress: string, trustProxy: boolean): boolean {
  const shares = new ConnectionShares({ trustProxy, log, perAddress: 2 })
  const ended = [1, 2, 3].map(() => {
    let isEnded = false
    const destroy = () => {
      isEnded = true
    }
    shares.take(Object.assign(new EventEmitter(), { remoteAddress, destroy }) as unknown as Socket)
    return isEnded
  })
  expect(ended.slice(0, 2)).toEqual([false, false])
  return ended[2] as boolean
}

it.each([
  ['127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::1', false],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['::ffff:192.168.1.1', false],
  ['fd00::1', false],
  ['fe80::1%eth0', false],
  ['172.32.0.1', true],
  ['192.0.2.1', true],
  ['::ffff:192.0.2.1', true],
  ['2001:db8::1', true],
])('behind a trusted proxy, %s is bounded: %s', (address, isBounded) => {
  expect(isThirdEnded(address, true)).toBe(isBounded)
  expect(isThirdEnded(address, false)).toBe(true)
})

it('counts a /64 of IPv6 as one address', () => {
  const shares = new ConnectionShares({ trustProxy: false, log, perAddress: 1 })
  const ended: string[] = []
  for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
    shares.take(
      Object.assign(new EventEmitter(), {
        remoteAddress,
        destroy: () => ended.push(remoteAddress),
      }) as unknown as Socket,
    )
  expect(ended).toEqual(['2001:db8::2'])
})

it('a flood from many addresses is logged once a minute', async () => {
  const clock = new FakeClock()
  const port = await listen(new ConnectionShares({ trustProxy: false, log, perAddress: 10, clock }))
  const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  for (const address of addresses) await Promise.all(Array.from({ length: 10 }, () => idle(port, address)))
  for (let tried = 0; tried < 5; tried++) expect(await asked(port, '127.0.0.4')).toBe('')
  expect(lines).toEqual([{ act: 'connection-limit', inAll: 30 }])
  await clock.advance(60_000)
  expect(await asked(port, '127.0.0.4')).toBe('')
  expect(lines).toHaveLength(2)
})
