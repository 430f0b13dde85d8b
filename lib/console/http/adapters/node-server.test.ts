import { request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pagePolicy } from '../security-headers.ts'
import type { Answer, ApiRequest } from './api-request.ts'
import { createNodeServer, type NodeServer } from './node-server.ts'

let node: NodeServer
let url: string
/** What the API and the pages got. */
let asked: ApiRequest[]
let opened: { url: string | undefined; headers: Record<string, unknown> }[]
let failures: unknown[]
let respond: (request: ApiRequest) => Promise<Answer>

async function start(publicUrl = 'http://localhost:3000'): Promise<void> {
  node = createNodeServer({
    limitPage: async (path) => (path === '/too-many' ? 7 : null),
    publicUrl: new URL(publicUrl),
    respond: (request) => {
      asked.push(request)
      return respond(request)
    },
    page: async (request, response) => {
      opened.push({ url: request.url, headers: { ...request.headers } })
      if (request.url === '/fails') throw new Error('a page that fails')
      response.end('a page')
    },
    failed: (error) => failures.push(error),
  })
  await new Promise<void>((done) => node.server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}`
}

beforeEach(async () => {
  asked = []
  opened = []
  failures = []
  respond = async () => ({ status: 200, headers: { 'Content-Type': 'application/json' }, text: '{}' })
  await start()
})
afterEach(() => node.close())

const get = (path = '/', headers: Record<string, string> = {}) => fetch(url + path, { headers })

/** One request as it is written; all that is answered until the connection ends. */
const raw = (text: string) =>
  new Promise<string>((done, fail) => {
    let heard = ''
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk) => {
      heard += chunk
    })
    socket.once('close', () => done(heard)).once('error', fail)
  })
const line = async (method: string, target: string, more = '') =>
  raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`)

describe('every request', () => {
  it('is answered with what browsers are to keep to, the API and pages alike', async () => {
    for (const path of ['/', '/v1/leases'])
      expect(Object.fromEntries((await get(path)).headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
  })

  it('is answered for no cache to keep, unless it is for a file', async () => {
    for (const path of ['/', '/v1/leases', '/_global-error', '/leases/icon.svg'])
      expect((await get(path)).headers.get('cache-control'), path).toBe('no-store')
    for (const path of ['/_next/static/chunks/a.js', '/icon.svg'])
      expect((await get(path)).headers.get('cache-control'), path).toBeNull()
  })

  it('binds browsers to https where the console is served over it', async () => {
    expect((await get()).headers.get('strict-transport-security')).toBeNull()
    await node.close()
    await start('https://leases.example')
    for (const path of ['/', '/v1/leases'])
      expect((await get(path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('has an id, its own or a new one, which the answer shows', async () => {
    const seen = () => [asked.at(-1)?.headers.get('x-request-id'), opened.at(-1)?.headers['x-request-id']]
    for (const given of ['0123456789abcdef', 'a_program-s_own']) {
      for (const path of ['/', '/v1/leases'])
        expect((await get(path, { 'x-request-id': given })).headers.get('x-request-id')).toBe(given)
      expect(seen()).toEqual([given, given])
    }
    for (const bad of ['short', 'x'.repeat(65), 'has space in it', '<script>alert', 'ümlaut-id']) {
      const id = (await get('/', { 'x-request-id': bad })).headers.get('x-request-id')
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(opened.at(-1)?.headers['x-request-id']).toBe(id)
    }
  })
})

describe('the API', () => {
  it.each([
    ['/v1/leases?limit=1', '/v1/leases?limit=1'],
    ['/v1', '/v1'],
    ['/healthz', '/healthz'],
    ['/readyz', '/readyz'],
    ['/v1/locks/%ZZ', '/v1/locks/%ZZ'],
    ['/v1/locks/a%2Fb.rsc', '/v1/locks/a%2Fb.rsc'],
    // Other ways of writing it lead nowhere else.
    ['/%761/leases', '/%761/leases'],
    ['/x/../v1/leases', '/v1/leases'],
    ['/x/%2e%2e/v1/leases', '/v1/leases'],
    ['http://localhost:3000/v1/leases', '/v1/leases'],
  ])('answers %s', async (target, path) => {
    expect(await line('GET', target)).toMatch(/^HTTP\/1\.1 200 /)
    expect(asked.map((request) => request.url)).toEqual([`http://localhost${path}`])
    expect(opened).toEqual([])
  })

  it.each(['/v1x', '/healthz.html', '/x/v1/leases', '/leases/v1', '//v1/leases'])(
    'has no part in %s',
    async (target) => {
      await line('GET', target)
      expect([asked.length, opened.length]).toEqual([0, 1])
    },
  )

  it('gets the address of the socket, whatever the sender writes', async () => {
    await get('/v1/leases', { 'x-forwarded-for': '203.0.113.9' })
    expect(asked[0]?.socketAddress).toBe('127.0.0.1')
  })

  it('gets a body piece by piece, and none where none was sent', async () => {
    const pieces: Uint8Array[] = []
    respond = async ({ body }) => {
      const reader = body?.getReader()
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
        pieces.push(piece.value)
      return { status: 200, headers: {}, text: null }
    }
    await fetch(`${url}/v1/x`, { method: 'PUT', body: 'ä'.repeat(100_000) })
    expect(Buffer.concat(pieces).toString() === 'ä'.repeat(100_000)).toBe(true)
    await fetch(`${url}/v1/x`, { method: 'PUT' })
    expect(asked.map(({ body }) => body === null)).toEqual([false, true])
  })

  it('answers what it refused before the body was read', async () => {
    respond = async ({ body }) => {
      const reader = body?.getReader()
      await reader?.read()
      await reader?.cancel()
      return { status: 413, headers: { Connection: 'close' }, text: 'too large' }
    }
    const answer = await line('PUT', '/v1/x', `Content-Length: 1000000\r\n\r\n${'x'.repeat(70_000)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large/)
  })

  it('hears that the client has gone', async () => {
    let gone = () => {}
    const aborted = new Promise<void>((done) => {
      gone = done
    })
    respond = ({ signal }) => {
      signal.addEventListener('abort', () => gone())
      return new Promise(() => {})
    }
    const client = send(`${url}/v1/x`).on('error', () => {})
    client.end()
    await expect.poll(() => asked.length).toBe(1)
    client.destroy()
    await aborted
  })

  it('knows that the client has gone, when it asks only afterwards', async () => {
    let knows: (gone: boolean) => void = () => {}
    const known = new Promise<boolean>((done) => {
      knows = done
    })
    let left = () => {}
    const closed = new Promise<void>((done) => {
      left = done
    })
    respond = async (request) => {
      await closed
      // The server hears of the end after the client has made it.
      await new Promise((later) => setTimeout(later, 50))
      knows(request.signal.aborted)
      return { status: 200, headers: {}, text: null }
    }
    const client = send(`${url}/v1/x`).on('error', () => {})
    client.on('close', () => left())
    client.end()
    await expect.poll(() => asked.length).toBe(1)
    client.destroy()
    expect(await known).toBe(true)
  })

  it('sets cookies, one each, and no header of the server', async () => {
    respond = async () => ({
      status: 201,
      headers: { 'Cache-Control': 'public', 'X-Frame-Options': 'ALLOWALL', 'Retry-After': '1' },
      cookies: ['a=1', 'b=2'],
      text: null,
    })
    const { status, headers } = await get('/v1/x')
    expect([status, headers.getSetCookie(), headers.get('retry-after')]).toEqual([201, ['a=1', 'b=2'], '1'])
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY'])
  })
})

describe('before a page is asked for', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('%s is refused', async (method) => {
    for (const target of ['/', '/icon.svg', '/_next/static/x.js']) {
      const answer = await line(method, target)
      expect(answer).toMatch(/^HTTP\/1\.1 405 /)
      expect(answer).toMatch(/\r\nAllow: GET, HEAD\r\n/)
    }
    expect(opened).toEqual([])
  })

  it('a path that is no text is refused', async () => {
    for (const target of ['/%ZZ', '/leases/%FF', '/%761/%ZZ'])
      expect(await line('GET', target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*<h1>/)
    expect(await line('GET', '/leases/%2F')).toMatch(/^HTTP\/1\.1 200 /)
    expect(opened.map((each) => each.url)).toEqual(['/leases/%2F'])
  })

  it('OPTIONS is answered, of a page and of the server', async () => {
    expect(await line('OPTIONS', '/')).toMatch(/^HTTP\/1\.1 204 [\s\S]*Allow: GET, HEAD\r\n/)
    expect(await line('OPTIONS', '*')).toMatch(/^HTTP\/1\.1 204 [\s\S]*Allow: .*DELETE/)
    for (const method of ['GET', 'TRACE', 'POST']) expect(await line(method, '*')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /)
  })

  it('goes on when a client that asks for a tunnel resets the connection', async () => {
    const { port } = node.server.address() as AddressInfo
    for (let i = 0; i < 20; i++)
      await new Promise<void>((done) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
          setImmediate(() => socket.resetAndDestroy())
        })
        socket.on('error', () => {}).on('close', () => done())
      })
    // An error without a listener would have ended the process of this test.
    expect((await get('/')).status).toBe(200)
  })

  it('what belongs to actions, of which there are none, is taken away', async () => {
    await get('/', { 'next-action': 'x'.repeat(40) })
    expect(opened[0]?.headers['next-action']).toBeUndefined()
  })

  it('a page that fails is a 500, and logged', async () => {
    expect((await get('/fails')).status).toBe(500)
    expect(String(failures[0])).toContain('a page that fails')
  })
})

it.each([
  ['GET', '/v1/x', ''],
  ['GET', '/', ''],
  ['PUT', '/v1/x', '{}'],
])('an offer to upgrade is answered as if it were none: %s %s', async (method, path, body) => {
  respond = async (request) => {
    await request.body?.getReader().read()
    return { status: 200, headers: {}, text: 'an answer' }
  }
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const answers = () => heard.match(/HTTP\/1\.1 200 /g)?.length
  const offer = 'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'
  // The connection goes on in HTTP/1.1.
  for (const each of [1, 2]) {
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n${offer}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(answers).toBe(each)
  }
  socket.destroy()
})

it('ends by answering what it was asked, and no more', async () => {
  let answer = (_: Answer) => {}
  respond = () =>
    new Promise((done) => {
      answer = done
    })
  const answered = get('/v1/x')
  await expect.poll(() => asked.length).toBe(1)
  const closed = node.close()
  await expect(get('/v1/y')).rejects.toThrow()
  answer({ status: 200, headers: {}, text: 'in time' })
  expect(await (await answered).text()).toBe('in time')
  expect((await answered).headers.get('connection')).toBe('close')
  await closed
  await start()
})

it('the policy of pages runs no inline script without the nonce, and evaluates nothing', () => {
  const policy = pagePolicy('bm9uY2U=')
  expect(policy).toContain("script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic';")
  expect(policy).not.toContain('unsafe')
})

it('refuses a page before Next sees it when its address has opened too many', async () => {
  const answer = await fetch(`${url}/too-many`)
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('7')
  expect(await answer.text()).toContain('Wait 7 s')
})
