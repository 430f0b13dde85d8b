/** The requests that the store sends, and what it makes of the answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LeaseProtocol, Leases, remainingMs } from '../lease/index.ts'
import { FakeClock } from '../testing/index.ts'
import { HttpLeaseStore } from './lease-store.ts'
import { LeaseholdServer } from './server.ts'
import { type Answer, problem, scriptedServer } from './test-server.ts'

let http: Awaited<ReturnType<typeof scriptedServer>>
let store: HttpLeaseStore
beforeAll(async () => {
  http = await scriptedServer()
  store = new HttpLeaseStore(new LeaseholdServer({ url: `${http.url}/base/`, token: 'secret' }))
})
afterAll(() => http.close())

const write = { name: 'a/b', owner: 'me', value: 'v', ttlSeconds: 30 }
const lock = { name: 'a/b', owner: 'me', version: '1', ttlSeconds: 30, expiresAt: '2026-01-01T00:00:30.000Z' }
const rival = { holder: { name: 'a/b', owner: 'rival' } }
const unknown = { code: 'statement-unknown', finality: 'never' }

const released = (headers: Record<string, string> = {}): Answer => ({
  status: 204,
  headers: { 'X-Request-Id': 'a-request', ...headers },
})
const foreign = (status: number) =>
  `The answer ${status} of ${new URL(http.url).host} did not come from a Leasehold server. Check the URL`
const page = (status: number): Answer => ({ status, body: '<html>', type: 'text/html' })

const acquire = () => store.acquire(write)
const renew = () => store.renew({ ...write, knownValue: 'v' })
const release = () => store.release(write)
const read = () => store.read('a/b')

describe('requests', () => {
  it('a lock is put with the token, under the encoded name', async () => {
    http.script({ status: 201, body: { ...lock, token: '1' } })
    await acquire()
    expect(http.asked).toMatchObject([
      {
        method: 'PUT',
        url: '/base/v1/locks/a%2Fb',
        body: { owner: 'me', ttlSeconds: 30, acquireOnly: true, value: 'v' },
        headers: { authorization: 'Bearer secret' },
      },
    ])
    expect(http.asked[0]?.headers).not.toHaveProperty('origin')
  })

  it('a renewal never acquires, and a missing value is left out', async () => {
    http.script({ status: 200, body: lock })
    await store.renew({ ...write, value: null, knownValue: null })
    expect(http.asked[0]?.body).toEqual({ owner: 'me', ttlSeconds: 30, renewOnly: true })
    await expect(store.renew({ ...write, value: null, knownValue: 'v' })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })

  it('every request names the table', async () => {
    const mapped = new HttpLeaseStore(new LeaseholdServer({ url: http.url }), { table: 'jobs' })
    http.script(released(), { status: 201, body: lock })
    await mapped.release({ name: 'x', owner: 'o p' })
    await mapped.acquire(write)
    expect(http.asked.map(({ url }) => url)).toEqual([
      '/v1/locks/x?owner=o+p&table=jobs',
      '/v1/locks/a%2Fb?table=jobs',
    ])
  })

  it('breaking a lease needs a release plan: the store refuses, and sends nothing', async () => {
    http.script()
    const mark = { name: 'a/b', owner: 'me', mark: '!quarantine:p', value: null, ttlSeconds: 30 }
    await expect(store.quarantine(mark)).rejects.toMatchObject({ code: 'store-refused' })
    expect(http.asked).toEqual([])
  })

  it('a name that cannot stand in a path is not sent', async () => {
    http.script()
    await expect(store.read('..')).rejects.toMatchObject({ code: 'invalid-argument' })
    expect(http.asked).toEqual([])
  })
})

describe('answers', () => {
  it.each<[string, () => Promise<unknown>, Answer, unknown]>([
    ['201', acquire, { status: 201, body: lock }, { applied: true }],
    [
      'lock-held: this owner held it already',
      acquire,
      problem(409, 'lock-held', { holder: { owner: 'me' } }),
      { applied: false, found: { owner: 'me' } },
    ],
    ['lock-held', acquire, problem(409, 'lock-held', rival), { applied: false, found: { owner: 'rival' } }],
    [
      'lock-held without a holder',
      acquire,
      problem(409, 'lock-held'),
      { applied: false, found: { owner: null } },
    ],
    ['a renewal', renew, { status: 200, body: lock }, { applied: true }],
    ['not-holder', renew, problem(412, 'not-holder', rival), { applied: false, found: { owner: 'rival' } }],
    ['not-held', renew, problem(404, 'not-held'), { applied: false, found: null }],
    ['a release', release, released(), { applied: true }],
    [
      'a release whose answer the server lost',
      release,
      released({ 'Release-Certain': 'false' }),
      { applied: true, certain: false },
    ],
    [
      'a release of another owner’s lease',
      release,
      problem(412, 'not-holder', rival),
      { applied: false, found: { owner: 'rival' } },
    ],
    ['a release of a free lease', release, problem(404, 'not-held'), { applied: false, found: null }],
  ])('%s', async (_what, ask, answer, outcome) => {
    http.script(answer)
    expect(await ask()).toEqual(outcome)
  })

  it.each<[string, () => Promise<unknown>, Answer, object]>([
    ['a connection that breaks after a write', acquire, 'cut', unknown],
    ['a connection that breaks after a read', read, 'cut', { code: 'store-unavailable' }],
    ["a proxy's page after a write", renew, { status: 502, body: '<html>', type: 'text/html' }, unknown],
    ["a proxy's page after a read", read, { status: 504, body: '<html>' }, { code: 'store-unavailable' }],
    ['a page that looks like success', acquire, { status: 200, body: '<html>', type: 'text/html' }, unknown],
    ['a renewal that was not asked for', acquire, { status: 200, body: lock }, unknown],
    ["success with another owner's lock", renew, { status: 200, body: { ...lock, owner: 'x' } }, unknown],
    ["a proxy's 404 after a write", release, { status: 404, body: 'no' }, unknown],
    ["a proxy's 204 after a release", release, { status: 204 }, unknown],
    [
      "a proxy's problem document with a code of ours",
      release,
      problem(404, 'not-held', { type: 'https://gateway.example/problems/not-held' }),
      unknown,
    ],
    ['outcome-unknown', release, problem(503, 'outcome-unknown'), unknown],
    ['internal', acquire, problem(500, 'internal'), unknown],
    ['cassandra-unavailable', acquire, problem(503, 'cassandra-unavailable'), { code: 'store-unavailable' }],
    ['cassandra-refused', acquire, problem(503, 'cassandra-refused'), { code: 'store-refused' }],
    ['too-late', acquire, problem(503, 'too-late'), { code: 'store-unavailable' }],
    ['audit-unavailable', acquire, problem(503, 'audit-unavailable'), { code: 'store-unavailable' }],
    ['canary-failed', acquire, problem(503, 'canary-failed'), { code: 'store-refused' }],
    ['unauthenticated', acquire, problem(401, 'unauthenticated'), { code: 'store-refused' }],
    [
      'forbidden',
      acquire,
      problem(403, 'forbidden'),
      { code: 'store-refused', message: expect.stringContaining('It is forbidden.') },
    ],
    [
      'bad-request',
      acquire,
      problem(400, 'bad-request'),
      { code: 'invalid-argument', message: 'It is bad-request.' },
    ],
    ['a redirect of a write', acquire, { status: 307 }, unknown],
    ['a redirect of a read', read, { status: 307 }, { code: 'store-refused' }],
    ['something that is no lease', read, { status: 200, body: {} }, { code: 'store-unavailable' }],
  ])('%s', async (_what, ask, answer, error) => {
    http.script(answer)
    await expect(ask()).rejects.toMatchObject(error)
    expect(http.asked).toHaveLength(1)
  })

  it.each([400, 403, 404, 408, 413, 422, 429, 451])(
    "a proxy's page with status %i leaves a write unknown, and not refused",
    async (status) => {
      http.script(page(status))
      await expect(acquire()).rejects.toMatchObject({
        ...unknown,
        message: expect.stringContaining(foreign(status)),
      })
    },
  )

  it.each([400, 403, 404, 413, 422])(
    "a proxy's page with status %i refuses a read, and names the URL",
    async (status) => {
      http.script(page(status))
      await expect(read()).rejects.toMatchObject({
        code: 'store-refused',
        message: expect.stringContaining(foreign(status)),
      })
    },
  )

  it('a wrong URL ends a wait at once, with a message that says so', async () => {
    http.script(page(404), page(404), page(404))
    const leases = new Leases({ store })
    await expect(leases.acquire('n', { ttlSeconds: 30 })).rejects.toMatchObject({
      code: 'outcome-unknown',
      retryable: false,
      message: expect.stringContaining(foreign(404)),
    })
    await leases.close({ waitMs: 0 })
  })

  it('no server listens: nothing was sent', async () => {
    const gone = await scriptedServer()
    await gone.close()
    const nowhere = new HttpLeaseStore(new LeaseholdServer({ url: gone.url }))
    await expect(nowhere.acquire(write)).rejects.toMatchObject({ code: 'store-unavailable' })
  })

  it('no answer in time is an unknown outcome', async () => {
    const clock = new FakeClock()
    const patient = new HttpLeaseStore(new LeaseholdServer({ url: http.url, timer: clock }))
    http.script('silent')
    const release = patient.release(write)
    const outcome = expect(release).rejects.toMatchObject(unknown)
    // A request that is given up on the way could take the next test's answer.
    await expect.poll(() => http.asked.length).toBe(1)
    await clock.advance(30_000)
    await outcome
  })
})

describe('a lease that is read', () => {
  const shown = {
    name: 'a/b',
    owner: 'me',
    value: 'v',
    version: '1767225600250000',
    expiresAt: '2026-01-01T00:00:30.000Z',
    remainingMs: 12_345,
    valueRemainingMs: 12_345,
    ttlSeconds: 30,
    now: '2026-01-01T00:00:17.900Z',
    evidence: { coordinator: '127.0.0.1:9042', cql: 'SELECT …' },
  }
  const protocol = () => new LeaseProtocol({ store, clock: new FakeClock() })

  it('expires when the server says so, by the clock of the coordinator', async () => {
    http.script({ status: 200, body: shown })
    const view = await protocol().read('a/b')
    expect(view).toMatchObject({
      owner: 'me',
      value: 'v',
      version: 1_767_225_600_250_000n,
      expiresAtMs: Date.UTC(2026, 0, 1, 0, 0, 30),
      valueExpiresAtMs: Date.UTC(2026, 0, 1, 0, 0, 30),
      ttlSeconds: 30,
      read: { coordinator: '127.0.0.1:9042', serverNowMs: Date.UTC(2026, 0, 1, 0, 0, 17, 655) },
    })
    expect(view && remainingMs(view, view.read.at)).toBe(12_345)
  })

  it('may be overdue, without an expiry, or without an owner', async () => {
    http.script(
      { status: 200, body: { ...shown, remainingMs: -400, valueRemainingMs: null, value: null } },
      { status: 200, body: { ...shown, expiresAt: null, remainingMs: null, ttlSeconds: null } },
      {
        status: 200,
        body: {
          ...shown,
          owner: null,
          version: null,
          expiresAt: null,
          remainingMs: null,
          valueRemainingMs: 4_100,
        },
      },
      problem(404, 'not-held'),
    )
    const overdue = await protocol().read('a/b')
    expect(overdue?.expiresAtMs).toBe(Date.UTC(2026, 0, 1, 0, 0, 30))
    expect(overdue && remainingMs(overdue, overdue.read.at)).toBe(-400)
    expect(await protocol().read('a/b')).toMatchObject({ owner: 'me', expiresAtMs: null, ttlSeconds: null })
    expect(await protocol().read('a/b')).toMatchObject({
      owner: null,
      version: null,
      valueExpiresAtMs: Date.UTC(2026, 0, 1, 0, 0, 22),
    })
    expect(await protocol().read('a/b')).toBeNull()
  })

  it('makes the next hint a blocking query for another holder', async () => {
    http.script(
      { status: 200, body: shown },
      { status: 200, body: { ...lock, value: 'w' } },
      problem(404, 'not-held'),
    )
    const fresh = new HttpLeaseStore(new LeaseholdServer({ url: http.url }))
    await fresh.read('a/b')
    expect(await fresh.hint('a/b')).toEqual({ owner: 'me', value: 'w' })
    expect(await fresh.hint('other')).toBeNull()
    expect(http.asked.map(({ url }) => url)).toEqual([
      '/v1/leases/a%2Fb',
      '/v1/locks/a%2Fb?since=me&wait=1000ms',
      '/v1/locks/other',
    ])
  })
})

describe('a scan', () => {
  const lease = (name: string) => ({ name, owner: 'o', expiresAt: null, remainingMs: null })
  const page = (names: string[], nextCursor: string | null): Answer => ({
    status: 200,
    body: { leases: names.map(lease), nextCursor, now: '2026-01-01T00:00:00.000Z' },
  })

  it('goes on after the last row, across pages and rows that are gone', async () => {
    http.script(page(['a', 'b'], 'c1'), page(['c', 'd'], null))
    const first = await store.scan({ limit: 3 })
    expect(first.rows.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    const afterToken = first.rows[2]?.token as string
    http.script(page(['c', 'd', 'e'], null))
    expect((await store.scan({ afterToken, limit: 9 })).rows.map(({ name }) => name)).toEqual(['d', 'e'])
    expect(http.asked[0]?.url).toContain('cursor=c1')
    http.script(page(['d', 'e'], null))
    expect((await store.scan({ afterToken, limit: 9 })).rows.map(({ name }) => name)).toEqual(['d', 'e'])
  })
})

it('a body that was too slow for the server did nothing: the same may be sent again', async () => {
  http.script(problem(408, 'body-too-slow'))
  await expect(acquire()).rejects.toMatchObject({ code: 'store-unavailable', retryable: true })
})
