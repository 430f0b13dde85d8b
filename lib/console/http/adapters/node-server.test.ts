import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { pagePolicy } from '../security-headers.ts'
import type { Answer } from './api-request.ts'
import { TestServer } from './test-node-server.ts'

const server = new TestServer()

describe('every request', () => {
  it('is answered with the security headers, from the API and from pages', async () => {
    for (const path of ['/', '/v1/leases'])
      expect(Object.fromEntries((await server.get(path)).headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
  })

  it('is answered with no-store, unless it is for a file', async () => {
    for (const path of ['/', '/v1/leases', '/_global-error', '/leases/icon.svg'])
      expect((await server.get(path)).headers.get('cache-control'), path).toBe('no-store')
    for (const path of ['/_next/static/chunks/a.js', '/icon.svg', '/favicon.ico'])
      expect((await server.get(path)).headers.get('cache-control'), path).toBeNull()
  })

  it('binds browsers to https where the console is served over it', async () => {
    expect((await server.get()).headers.get('strict-transport-security')).toBeNull()
    await server.node.close()
    await server.start('https://leases.example')
    for (const path of ['/', '/v1/leases'])
      expect((await server.get(path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('has an id, its own or a new one, which the answer shows', async () => {
    const seen = () => [
      server.asked.at(-1)?.headers.get('x-request-id'),
      server.opened.at(-1)?.headers['x-request-id'],
    ]
    for (const given of ['0123456789abcdef', 'a_program-s_own']) {
      for (const path of ['/', '/v1/leases'])
        expect((await server.get(path, { 'x-request-id': given })).headers.get('x-request-id')).toBe(given)
      expect(seen()).toEqual([given, given])
    }
    for (const bad of ['short', 'x'.repeat(65), 'has space in it', '<script>alert', 'ümlaut-id']) {
      const id = (await server.get('/', { 'x-request-id': bad })).headers.get('x-request-id')
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(server.opened.at(-1)?.headers['x-request-id']).toBe(id)
    }
  })
})

describe('before Next gets a page', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('%s is refused', async (method) => {
    for (const target of ['/', '/icon.svg', '/_next/static/x.js']) {
      const answer = await server.line(method, target)
      expect(answer).toMatch(/^HTTP\/1\.1 405 /)
      expect(answer).toMatch(/\r\nAllow: GET, HEAD\r\n/)
    }
    expect(server.opened).toEqual([])
  })

  it('a path that is no text is refused', async () => {
    for (const target of ['/%ZZ', '/leases/%FF', '/%761/%ZZ'])
      expect(await server.line('GET', target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*<h1>/)
    expect(await server.line('GET', '/leases/%2F')).toMatch(/^HTTP\/1\.1 200 /)
    expect(server.opened.map((each) => each.url)).toEqual(['/leases/%2F'])
  })

  it('OPTIONS is answered, of a page and of the server', async () => {
    expect(await server.line('OPTIONS', '/')).toMatch(/^HTTP\/1\.1 204 [\s\S]*Allow: GET, HEAD\r\n/)
    expect(await server.line('OPTIONS', '*')).toMatch(/^HTTP\/1\.1 204 [\s\S]*Allow: .*DELETE/)
    for (const method of ['GET', 'TRACE', 'POST'])
      expect(await server.line(method, '*')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await server.raw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /)
  })

  it('a client that asks for a tunnel and resets the connection does not end the process', async () => {
    const { port } = server.node.server.address() as AddressInfo
    for (let i = 0; i < 20; i++)
      await new Promise<void>((done) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
          setImmediate(() => socket.resetAndDestroy())
        })
        socket.on('error', () => {}).on('close', () => done())
      })
    // An error without a listener would have ended the process of this test.
    expect((await server.get('/')).status).toBe(200)
  })

  it.each([
    ['next-action', 'x'.repeat(40)],
    ['range', 'bytes=999999-'],
    ['if-range', '"another"'],
    ['if-match', '"another"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('the header %s is removed: Next would answer it with 500', async (name, value) => {
    const given = { 'if-none-match': '"kept"' }
    await server.get('/favicon.ico', { ...given, [name]: value })
    expect(server.opened[0]?.headers[name]).toBeUndefined()
    expect(server.opened[0]?.headers).toMatchObject(given)
  })

  it.each([
    'garbage',
    '%',
    'null',
    '[""]',
    '{"a":1}',
    '["",{},5]',
    '["",{"children":["x","y"]}]',
    '['.repeat(7_000),
    `${'["",{"a":'.repeat(1_300)}["",{}]${'}]'.repeat(1_300)}`,
    `[["a","b","d",[${'"",'.repeat(3_000)}""]],{}]`,
  ])('a state of a page that Next could not read, or not soon, is refused: %.30s', async (state) => {
    const answer = await server.get('/', { rsc: '1', 'next-router-state-tree': state })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Next-Router-State-Tree')
    expect(server.opened).toEqual([])
  })

  it('the state of a page is passed on', async () => {
    // As a browser sends it that goes from the list to the page of a lease.
    const state = [
      '',
      { children: [['name', 'job%2F1', 'd', null], { children: ['__PAGE__', {}] }] },
      null,
      null,
      16,
    ]
    const sent = encodeURIComponent(JSON.stringify(state))
    await server.get('/leases/job%2F1', { rsc: '1', 'next-router-state-tree': sent })
    expect(server.opened[0]?.headers['next-router-state-tree']).toBe(sent)
  })

  it('a page that fails is a 500, and logged', async () => {
    expect((await server.get('/fails')).status).toBe(500)
    expect(String(server.failures[0])).toContain('a page that fails')
  })
})

it('an answer that cannot be written ends its connection, and is logged', async () => {
  server.respond = async () => ({ status: 99, headers: {}, text: 'no status' })
  await expect(server.get('/v1/x')).rejects.toThrow('fetch failed')
  expect(String(server.failures[0])).toContain('Invalid status code: 99')
})

it.each([
  ['GET', '/v1/x', ''],
  ['GET', '/', ''],
  ['PUT', '/v1/x', '{}'],
])('an offer to upgrade is answered as if it were none: %s %s', async (method, path, body) => {
  server.respond = async (request) => {
    await request.body?.getReader().read()
    return { status: 200, headers: {}, text: 'an answer' }
  }
  const { port } = new URL(server.url)
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

it('answers open requests when it ends, and accepts no new one', async () => {
  let answer = (_: Answer) => {}
  server.respond = () =>
    new Promise((done) => {
      answer = done
    })
  const answered = server.get('/v1/x')
  await expect.poll(() => server.asked.length).toBe(1)
  const closed = server.node.close()
  await expect(server.get('/v1/y')).rejects.toThrow()
  answer({ status: 200, headers: {}, text: 'in time' })
  expect(await (await answered).text()).toBe('in time')
  expect((await answered).headers.get('connection')).toBe('close')
  await closed
  await server.start()
})

it('the policy of pages runs no inline script without the nonce, and evaluates nothing', () => {
  const policy = pagePolicy('bm9uY2U=')
  expect(policy).toContain("script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic';")
  expect(policy).not.toContain('unsafe')
})

it('refuses a page before Next sees it when its address has opened too many', async () => {
  const answer = await fetch(`${server.url}/too-many`)
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('7')
  expect(await answer.text()).toContain('Wait 7 s')
})
