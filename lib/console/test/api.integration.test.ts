import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSegment } from '../../contract/path.ts'
import { problemSchema } from '../../contract/problem.ts'
import { type TestConsole, testConsole, testOrigin } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

let console: TestConsole
const lock = (name: string, query = '') => `/v1/locks/${encodeSegment(name)}${query}`
const lease = (name: string, rest = '') => `/v1/leases/${encodeSegment(name)}${rest}`

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
})
afterAll(() => console?.context.session.close())

describe('names', () => {
  const names = [
    'a/b c',
    '日本',
    '"; DROP',
    '%2F',
    'a/../b',
    '<img src=x onerror=1>',
    "o'clock",
    'x.rsc',
    '...',
    'n'.repeat(512),
    '語'.repeat(170),
  ]
  it.each(names)('%s makes the round trip', async (name) => {
    const put = await console.api('PUT', lock(name), { value: `v of ${name}`, ttlSeconds: 300 })
    expect(put.status).toBe(201)
    expect(put.body.name).toBe(name)
    const got = await console.api('GET', lease(name))
    expect([got.status, got.body.name, got.body.value]).toEqual([200, name, `v of ${name}`])
    const listed = await console.api('GET', `/v1/leases?prefix=${encodeURIComponent(name)}`)
    expect(listed.body.leases.map((each: { name: string }) => each.name)).toContain(name)
    expect(
      (await console.api('DELETE', lock(name, `?owner=${encodeURIComponent(put.body.owner)}`))).status,
    ).toBe(204)
  })

  it.each([
    ['n'.repeat(513), 'The name is 513 bytes long; 512 are allowed.'],
    ['', 'The name is empty; 1 to 512 bytes are allowed.'],
    ['a\u0000b', 'The name contains U+0000, a control character; only printable text is allowed.'],
    ['a\nb', 'The name contains U+000A, a control character; only printable text is allowed.'],
  ])('%j is refused with what is wrong', async (name, sentence) => {
    for (const answer of [
      await console.api('PUT', `/v1/locks/${encodeURIComponent(name)}`, {}),
      await console.api('GET', `/v1/leases/${encodeURIComponent(name)}`),
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(problemSchema.parse(answer.body)).toMatchObject({ code: 'bad-request', detail: sentence })
    }
  })
})

describe('the REST lock article: PUT /v1/locks/mon_lock', () => {
  it('answers 201, then 200 to the same owner, and 409 with the holder to another', async () => {
    const name = 'mon_lock'
    const first = await console.api('PUT', lock(name), { owner: 'one', ttlSeconds: 300, value: 'v' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ name, owner: 'one', ttlSeconds: 300, token: first.body.version })
    const again = await console.api('PUT', lock(name), { owner: 'one', ttlSeconds: 400 })
    expect(again.status).toBe(200)
    expect(again.body.token).toBeUndefined()
    expect(BigInt(again.body.version)).toBeGreaterThan(BigInt(first.body.version))
    const rival = await console.api('PUT', lock(name), { owner: 'two' })
    expect(rival.status).toBe(409)
    expect(rival.body).toMatchObject({
      code: 'lock-held',
      // A write or a read that crosses the edge of a second shows one more or less.
      holder: { owner: 'one', value: 'v', ttlSeconds: expect.toBeOneOf([399, 400, 401]) },
    })
    expect(Number(rival.headers.get('retry-after'))).toBeGreaterThan(300)
    expect((await console.api('GET', lock(name))).body).toMatchObject({ owner: 'one', value: 'v' })
    expect((await console.api('DELETE', lock(name, '?owner=two'))).body).toMatchObject({
      code: 'not-holder',
      holder: { owner: 'one' },
    })
    expect((await console.api('DELETE', lock(name, '?owner=one'))).status).toBe(204)
    expect((await console.api('DELETE', lock(name, '?owner=one'))).status).toBe(404)
    expect((await console.api('GET', lock(name))).status).toBe(404)
  })

  it('makes a fresh owner for each acquisition, and tokens that grow', async () => {
    const one = await console.api('PUT', lock('fresh'), {})
    await console.api('DELETE', lock('fresh', `?owner=${encodeURIComponent(one.body.owner)}`))
    const two = await console.api('PUT', lock('fresh'))
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.owner).not.toBe(two.body.owner)
    expect(BigInt(two.body.token)).toBeGreaterThan(BigInt(one.body.token))
    await console.api('DELETE', lock('fresh', `?owner=${encodeURIComponent(two.body.owner)}`))
  })

  it.each([
    [{ owner: '!mine' }, 'Owners that begin with "!" are reserved.'],
    [{ ttlSeconds: 1 }, 'ttlSeconds is below 2; 2 to 31536000 are allowed.'],
    [{ value: 'x'.repeat(16 * 1024 + 1) }, 'The value is 16385 bytes long; 16384 are allowed.'],
    ['{', 'The body is not JSON.'],
    [{ ttl: 30 }, '"ttl" is not known. Known here: owner, ttlSeconds, value, renewOnly, acquireOnly.'],
  ])('refuses %j', async (body, sentence) => {
    const answer = await console.api('PUT', lock('bad'), body)
    expect([answer.status, answer.body.detail]).toEqual([400, sentence])
  })
})

describe('the edges of HTTP', () => {
  it('refuses requests without a session, except /healthz and /readyz', async () => {
    for (const path of [
      '/v1/leases',
      '/v1/leases/x',
      '/v1/locks/x',
      '/v1/cluster',
      '/v1/session',
      '/v1/releases/x',
    ])
      expect([path, (await console.api('GET', path, undefined, { cookie: '' })).status]).toEqual([path, 401])
    const guesses = [
      'guess',
      '.',
      `${'A'.repeat(43)}.YWRtaW4`,
      console.cookie.slice('leasehold-3000='.length).replace(/\..*/, '.bm9ib2R5'),
    ]
    for (const guess of guesses)
      expect((await console.api('PUT', lock('x'), {}, { cookie: `leasehold-3000=${guess}` })).status).toBe(
        401,
      )
    for (const path of ['/healthz', '/readyz'])
      expect((await console.api('GET', path, undefined, { cookie: '' })).status).toBe(200)
  })

  it('accepts changes from PUBLIC_URL alone', async () => {
    for (const origin of ['http://127.0.0.1:3000', 'https://localhost:3000', 'null', 'http://evil.example']) {
      const answer = await console.api('PUT', lock('origin'), {}, { origin })
      expect([answer.status, answer.body.code]).toEqual([403, 'wrong-origin'])
    }
    expect(
      (await console.api('GET', '/v1/leases', undefined, { origin: 'http://evil.example' })).status,
    ).toBe(200)
    expect(testOrigin).toBe(console.context.config.publicUrl.origin)
  })

  it('knows its paths and their methods', async () => {
    expect((await console.api('GET', '/v1/nothing')).body.code).toBe('not-found')
    const wrong = await console.api('POST', '/v1/leases')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await console.api('OPTIONS', lock('x'))).headers.get('allow')).toContain('PUT')
    expect((await console.api('GET', '/v1/locks/%ZZ')).status).toBe(400)
    expect((await console.api('GET', '/v1/leases?limit=0')).body.detail).toContain('below 1')
    expect((await console.api('GET', '/v1/leases?prefx=a')).body.detail).toBe(
      '"prefx" is not known. Known here: table, name, prefix, q, owner, state, sort, order, limit, cursor.',
    )
    expect((await console.api('DELETE', lock('x'))).body.detail).toContain(
      'The query parameter owner is missing',
    )
    expect((await console.api('GET', '/v1/leases?cursor=abc')).body.detail).toContain('cursor')
    expect((await console.api('GET', '/v1/leases?table=nope')).body.code).toBe('unknown-table')
    expect((await console.api('PUT', lock('x'), 'a', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await console.api('PUT', lock('x'), 'a'.repeat(600_000))).status).toBe(413)
  })

  it('ends a session everywhere at sign-out', async () => {
    const signIn = await console.api('POST', '/v1/session', {
      username: 'admin',
      password: 'correct horse battery',
    })
    const [cookie = '', device = '', ...others] = signIn.headers.getSetCookie()
    expect(cookie).toMatch(
      /^leasehold-3000=[\w-]{43}\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43(200|1\d\d)$/,
    )
    expect(device).toMatch(
      /^leasehold-3000-device-[0-9a-f]{16}=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
    )
    expect(others).toEqual([])
    const headers = { cookie: cookie.split(';')[0] as string }
    expect((await console.api('GET', '/v1/session', undefined, headers)).body).toMatchObject({
      username: 'admin',
      role: 'admin',
      via: 'password',
      scope: null,
      elevatedUntil: null,
    })
    expect((await console.api('DELETE', '/v1/session', undefined, headers)).status).toBe(204)
    expect((await console.api('GET', '/v1/session', undefined, headers)).status).toBe(401)
    for (const username of ['admin', 'no-one']) {
      const refused = await console.api('POST', '/v1/session', { username, password: 'wrong password' })
      expect([refused.status, refused.body.detail]).toEqual([401, 'Wrong user name or password.'])
    }
  })
})
