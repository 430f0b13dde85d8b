import { request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { StreamSink } from './api-request.ts'
import { TestServer } from './test-node-server.ts'

const server = new TestServer()

describe('the API', () => {
  it.each([
    ['/v1/leases?limit=1', '/v1/leases?limit=1'],
    ['/v1', '/v1'],
    ['/healthz', '/healthz'],
    ['/readyz', '/readyz'],
    ['/v1/locks/%ZZ', '/v1/locks/%ZZ'],
    ['/v1/locks/a%2Fb.rsc', '/v1/locks/a%2Fb.rsc'],
    // Other spellings of the same path.
    ['/%761/leases', '/%761/leases'],
    ['/x/../v1/leases', '/v1/leases'],
    ['/x/%2e%2e/v1/leases', '/v1/leases'],
    ['http://localhost:3000/v1/leases', '/v1/leases'],
  ])('answers %s', async (target, path) => {
    expect(await server.line('GET', target)).toMatch(/^HTTP\/1\.1 200 /)
    expect(server.asked.map((request) => request.url)).toEqual([`http://localhost${path}`])
    expect(server.opened).toEqual([])
  })

  it.each(['/v1x', '/healthz.html', '/x/v1/leases', '/leases/v1', '//v1/leases'])(
    'has no part in %s',
    async (target) => {
      await server.line('GET', target)
      expect([server.asked.length, server.opened.length]).toEqual([0, 1])
    },
  )

  it('gets the address of the socket, whatever the sender writes', async () => {
    await server.get('/v1/leases', { 'x-forwarded-for': '203.0.113.9' })
    expect(server.asked[0]?.socketAddress).toBe('127.0.0.1')
  })

  it('gets a body piece by piece, and null where none was sent', async () => {
    const pieces: Uint8Array[] = []
    server.respond = async ({ body }) => {
      const reader = body?.getReader()
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
        pieces.push(piece.value)
      return { status: 200, headers: {}, text: null }
    }
    await fetch(`${server.url}/v1/x`, { method: 'PUT', body: 'ä'.repeat(100_000) })
    expect(Buffer.concat(pieces).toString() === 'ä'.repeat(100_000)).toBe(true)
    await fetch(`${server.url}/v1/x`, { method: 'PUT' })
    expect(server.asked.map(({ body }) => body === null)).toEqual([false, true])
  })

  it('answers a request that it refused before the body was read', async () => {
    server.respond = async ({ body }) => {
      const reader = body?.getReader()
      await reader?.read()
      await reader?.cancel()
      return { status: 413, headers: { Connection: 'close' }, text: 'too large' }
    }
    const answer = await server.line('PUT', '/v1/x', `Content-Length: 1000000\r\n\r\n${'x'.repeat(70_000)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large/)
  })

  it('gets an aborted signal when the client disconnects', async () => {
    let gone = () => {}
    const aborted = new Promise<void>((done) => {
      gone = done
    })
    server.respond = ({ signal }) => {
      signal.addEventListener('abort', () => gone())
      return new Promise(() => {})
    }
    const client = send(`${server.url}/v1/x`).on('error', () => {})
    client.end()
    await expect.poll(() => server.asked.length).toBe(1)
    client.destroy()
    await aborted
  })

  it('finds the signal aborted when it looks after the client has disconnected', async () => {
    let knows: (gone: boolean) => void = () => {}
    const known = new Promise<boolean>((done) => {
      knows = done
    })
    const closed = new Promise<void>((done) => {
      server.node.server.once('connection', (socket) => socket.once('close', () => done()))
    })
    server.respond = async (request) => {
      // The server notices the end some time after the client.
      await closed
      knows(request.signal.aborted)
      return { status: 200, headers: {}, text: null }
    }
    const client = send(`${server.url}/v1/x`).on('error', () => {})
    client.end()
    await expect.poll(() => server.asked.length).toBe(1)
    client.destroy()
    expect(await known).toBe(true)
  })

  it('sets each cookie in a header of its own, and cannot replace the security headers', async () => {
    server.respond = async () => ({
      status: 201,
      headers: { 'Cache-Control': 'public', 'X-Frame-Options': 'ALLOWALL', 'Retry-After': '1' },
      cookies: ['a=1', 'b=2'],
      text: null,
    })
    const { status, headers } = await server.get('/v1/x')
    expect([status, headers.getSetCookie(), headers.get('retry-after')]).toEqual([201, ['a=1', 'b=2'], '1'])
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY'])
  })

  it('gets an aborted signal for each request of a connection that ends, and does not wait for their answers', async () => {
    server.respond = () => new Promise(() => {})
    const client = unreading(3)
    await expect.poll(() => server.asked.length).toBe(3)
    const signals = server.asked.map(({ signal }) => signal)
    client.destroy()
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    // By turns of this process, which may stand still: an answer would be waited for for six seconds.
    let turns = 0
    const counting = setInterval(() => turns++, 100)
    await server.node.close()
    clearInterval(counting)
    expect(turns).toBeLessThan(40)
  })

  it('closes a connection with more than 64 requests that wait for their turn', async () => {
    server.respond = () => new Promise(() => {})
    const [few, many] = [unreading(64), unreading(500)]
    await expect.poll(() => server.asked.length).toBe(128)
    const gone = () => server.asked.filter(({ signal }) => signal.aborted).length
    await expect.poll(gone).toBe(64)
    for (const client of [few, many]) client.destroy()
    await expect.poll(gone).toBe(128)
  })

  it('closes the connection whose answers have waited longest to be read, and no other one', async () => {
    const text = 'x'.repeat(1024 * 1024)
    server.respond = async () => ({ status: 200, headers: {}, text })
    const sockets: Socket[] = []
    server.node.server.on('connection', (socket: Socket) => sockets.push(socket))
    const ended = () => sockets.map(({ destroyed }) => destroyed)
    const held = unreading(40)
    await expect.poll(() => server.asked.length).toBe(40)
    const reading = await server.get('/v1/x')
    expect((await reading.text()).length).toBe(text.length)
    expect(ended()).toEqual([false, false])
    const later = unreading(40)
    await expect.poll(ended).toEqual([true, false, false])
    expect((await (await server.get('/v1/x')).text()).length).toBe(text.length)
    for (const client of [held, later]) client.destroy()
  })

  it('closes streams whose readers do not read, once their texts fill the memory', async () => {
    const text = 'x'.repeat(20 * 1024 * 1024)
    const open = new Set<number>()
    let streams = 0
    server.respond = async () => {
      const number = ++streams
      const stream = {
        open: (sink: StreamSink) => {
          open.add(number)
          sink.write(text)
        },
        drained: () => {},
        closed: () => void open.delete(number),
      }
      return { status: 200, headers: {}, text: null, stream }
    }
    const clients: Socket[] = []
    for (const number of [1, 2, 3, 4, 5, 6]) {
      clients.push(unreading(1))
      await expect.poll(() => streams).toBe(number)
    }
    await expect.poll(() => [...open]).toEqual([4, 5, 6])
    for (const client of clients) client.destroy()
    await expect.poll(() => open.size).toBe(0)
  })

  it('leaves a stream alone whose reader reads all that comes', async () => {
    const text = 'x'.repeat(20 * 1024 * 1024)
    let left = 6
    server.respond = async () => {
      let sink: StreamSink | undefined
      const next = () => (left-- > 0 ? sink?.write(text) : sink?.end())
      const stream = {
        open: (given: StreamSink) => {
          sink = given
          next()
        },
        drained: () => void next(),
        closed: () => {},
      }
      return { status: 200, headers: {}, text: null, stream }
    }
    expect((await (await server.get('/v1/x')).text()).length).toBe(6 * text.length)
  })
})

/** A connection that sends so many requests, and reads no answer. */
function unreading(requests: number): Socket {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  return socket
}
