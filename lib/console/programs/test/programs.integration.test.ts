import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLibraryOwner } from '../../../contract/leases/lease-state.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'

/** What programs in any language use: tokens, sequences, keyed requests. */
// New each time: terms and sequences do not expire.
let keyspace: string
let console: TestConsole
let token: string
const bearer = () => ({ cookie: '', origin: '', authorization: `Bearer ${token}` })

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
  const created = await console.api('POST', '/v1/tokens', { name: 'billing', prefixes: [''] })
  expect(created.status).toBe(201)
  token = created.body.token
})
afterAll(() => console?.context.session.close())

describe('tokens', () => {
  it('let a program use the routes for programs, without a cookie and from any origin', async () => {
    expect((await console.api('GET', '/v1/session', undefined, bearer())).body).toMatchObject({
      username: 'billing',
      role: 'client',
      via: 'token',
      scope: { role: 'client', prefixes: [''] },
      expiresAt: null,
    })
    const put = await console.api('PUT', '/v1/locks/by-program', { ttlSeconds: 30 }, bearer())
    expect(put.status).toBe(201)
    for (const [method, path, body] of [
      ['POST', '/v1/leases/by-program/release-plan', {}],
      ['GET', '/v1/tokens', undefined],
      ['POST', '/v1/tokens', { name: 'another', prefixes: [''] }],
      ['GET', '/v1/cluster', undefined],
    ] as const) {
      const refused = await console.api(method, path, body, bearer())
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'forbidden'])
    }
  })

  it('are refused when they are wrong, and at once when they were revoked', async () => {
    const { body } = await console.api('POST', '/v1/tokens', { name: 'short-lived', prefixes: [''] })
    const asked = (text: string) =>
      console.api('GET', '/v1/leases', undefined, { cookie: '', authorization: `Bearer ${text}` })
    expect((await asked(body.token)).status).toBe(200)
    for (const wrong of ['x', body.token.slice(0, -1), `${body.token.slice(0, -1)}_`, body.id]) {
      const refused = await asked(wrong)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="leasehold"',
      ])
    }
    const listed = await console.api('GET', '/v1/tokens')
    expect(listed.body.tokens.map((each: { name: string }) => each.name)).toEqual(['billing', 'short-lived'])
    expect(JSON.stringify(listed.body)).not.toContain(body.token.slice('lh_0123456789abcdef_'.length))
    expect((await console.api('DELETE', `/v1/tokens/${body.id}`)).status).toBe(204)
    expect((await asked(body.token)).status).toBe(401)
    expect((await console.api('DELETE', `/v1/tokens/${body.id}`)).status).toBe(404)
  })
})

describe('locks and campaigns without an owner', () => {
  it('get an owner that tells them apart from the library, which would renew them', async () => {
    const lock = await console.api('PUT', '/v1/locks/unnamed', { ttlSeconds: 30 }, bearer())
    const leader = await console.api('POST', '/v1/elections/unnamed-group', { ttlSeconds: 30 }, bearer())
    for (const { status, body } of [lock, leader]) {
      expect([status, body.owner]).toEqual([201, expect.stringMatching(/^rest:[^:]+:\d+:[0-9a-f]{12}:\w+$/)])
      expect(isLibraryOwner(body.owner)).toBe(false)
    }
    const renewal = { owner: lock.body.owner, renewOnly: true }
    expect((await console.api('PUT', '/v1/locks/unnamed', renewal, bearer())).status).toBe(200)
  })
})

describe('sequences', () => {
  it('give each number to one caller', async () => {
    const next = (query = '') => console.api('POST', `/v1/sequences/orders/next${query}`, undefined, bearer())
    const first = await next()
    expect([first.status, first.body]).toEqual([200, { name: 'orders', count: 1, first: '1', last: '1' }])
    expect((await next('?count=100')).body).toMatchObject({ count: 100, first: '2', last: '101' })
    const many = await Promise.all(Array.from({ length: 8 }, () => next('?count=3')))
    expect(new Set(many.map(({ body }) => body.first)).size).toBe(8)
    expect((await next('?count=0')).body.detail).toContain('count is below 1')
  })
})

describe('Idempotency-Key', () => {
  const next = (key: string, name = 'keyed', query = '?count=5') =>
    console.api('POST', `/v1/sequences/${name}/next${query}`, undefined, {
      ...bearer(),
      'idempotency-key': key,
    })

  it('gives the same answer to the same request, which is carried out once', async () => {
    const first = await next('"k1"')
    const again = await next('k1')
    expect(again.body).toEqual(first.body)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect((await next('k2')).body.first).toBe('6')
  })

  it('refuses another request under the same key', async () => {
    await next('k3')
    const other = await next('k3', 'keyed', '?count=6')
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused'])
    const elsewhere = await next('k3', 'keyed-too')
    expect(elsewhere.status).toBe(422)
  })

  it('carries out one of many at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => next('k4', 'at-once')))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => body.first))).toEqual(new Set(['1']))
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual([409, 'request-in-progress'])
    expect((await next('k4', 'at-once')).body.first).toBe('1')
    expect((await next('k5', 'at-once')).body.first).toBe('6')
  })

  it('lets a request that failed be tried again', async () => {
    const campaign = () =>
      console.api('POST', '/v1/elections/keyed-group', {}, { ...bearer(), 'idempotency-key': 'k6' })
    const holder = await console.api('PUT', '/v1/locks/keyed-group', { ttlSeconds: 30 })
    expect((await campaign()).status).toBe(409)
    await console.api('DELETE', `/v1/locks/keyed-group?owner=${encodeURIComponent(holder.body.owner)}`)
    const elected = await campaign()
    expect(elected.status).toBe(201)
    // Again: it is the same leadership, kept from now on.
    const again = await campaign()
    const { version, expiresAt, ...same } = elected.body
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject(same)
    expect(BigInt(again.body.version)).toBeGreaterThan(BigInt(version))
    expect(Date.parse(again.body.expiresAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt))
    await console.api('DELETE', `/v1/elections/keyed-group?owner=${encodeURIComponent(elected.body.owner)}`)
    expect((await campaign()).body.code).toBe('not-held')
  })

  it('belongs to one sender, and is refused on routes that do not honour it', async () => {
    const mine = await next('shared')
    const theirs = await console.api('POST', '/v1/sequences/keyed/next?count=5', undefined, {
      'idempotency-key': 'shared',
    })
    expect(theirs.body.first).not.toBe(mine.body.first)
    const refused = await console.api(
      'POST',
      '/v1/users',
      { username: 'keyed', password: 'a password of a test', role: 'viewer' },
      { 'idempotency-key': 'k' },
    )
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'This route takes no Idempotency-Key. Send the request without it.',
    ])
    expect((await next('')).status).toBe(400)
    for (const [method, path, body] of [
      ['PUT', '/v1/locks/keyed-lock', { ttlSeconds: 30 }],
      ['DELETE', '/v1/locks/keyed-lock?owner=o', undefined],
    ] as const) {
      const keyed = await console.api(method, path, body, { ...bearer(), 'idempotency-key': 'k' })
      expect([keyed.status, keyed.body.code]).toEqual([400, 'bad-request'])
    }
    expect((await console.api('GET', '/v1/locks/keyed-lock')).status).toBe(404)
  })
})
