import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeClock } from '../testing/index.ts'
import { HttpSequence } from './sequence.ts'
import { LeaseholdServer } from './server.ts'
import { HttpTerms } from './terms.ts'
import { problem, scriptedServer } from './test-server.ts'

let http: Awaited<ReturnType<typeof scriptedServer>>
let server: LeaseholdServer
const random = () => 0
beforeAll(async () => {
  http = await scriptedServer()
  server = new LeaseholdServer({ url: http.url })
})
afterAll(() => http.close())

const block = {
  status: 200,
  body: { name: 'n', count: 2, first: '9007199254740993', last: '9007199254740994' },
}

it('numbers: after a lost answer it sends the same request again, under the same key', async () => {
  http.script('cut', problem(409, 'request-in-progress'), block)
  const sequence = new HttpSequence({ server, name: 'a/b', random })
  expect(await sequence.nextBlock(2)).toEqual({ first: 9_007_199_254_740_993n, last: 9_007_199_254_740_994n })
  expect(http.asked.map(({ url }) => url)).toEqual(Array(3).fill('/v1/sequences/a%2Fb/next?count=2'))
  expect(new Set(http.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  http.script(block)
  await sequence.nextBlock(2)
  expect(http.asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
})

it('numbers: after a time-out it sends the same request again, under the same key', async () => {
  const clock = new FakeClock()
  const patient = new LeaseholdServer({ url: http.url, timer: clock })
  http.script('silent', block)
  const asked = new HttpSequence({ server: patient, name: 'n', random, clock, timer: clock }).nextBlock(2)
  asked.catch(() => {})
  await expect.poll(() => http.asked.length).toBe(1)
  await clock.advance(30_000)
  await expect.poll(() => clock.advance(20).then(() => http.asked.length)).toBe(2)
  expect(await asked).toMatchObject({ first: 9_007_199_254_740_993n })
  expect(new Set(http.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

it('a term: after a time-out it sends the same request again', async () => {
  const clock = new FakeClock()
  const patient = new LeaseholdServer({ url: http.url, timer: clock })
  http.script('silent', led)
  const begun = new HttpTerms({ server: patient, random, clock, timer: clock }).begin(tenure)
  begun.catch(() => {})
  await expect.poll(() => http.asked.length).toBe(1)
  await clock.advance(30_000)
  await expect.poll(() => clock.advance(20).then(() => http.asked.length)).toBe(2)
  expect((await begun).term).toBe(3n)
})

it('numbers: it does not repeat a refused request, and a lost answer that stays lost is unknown', async () => {
  http.script(problem(403, 'forbidden'))
  await expect(new HttpSequence({ server, name: 'n' }).next()).rejects.toMatchObject({
    code: 'store-refused',
  })
  expect(http.asked).toHaveLength(1)
  http.script('cut')
  await expect(new HttpSequence({ server, name: 'n', settleMs: 0 }).next()).rejects.toMatchObject({
    code: 'outcome-unknown',
    message: expect.stringMatching(/^Some numbers of "n" may be lost: /),
  })
})

it("numbers: a proxy's page is no answer: the request is sent again, and the unknown outcome names the status", async () => {
  const page = { status: 404, body: '<html>', type: 'text/html' }
  http.script(page, block)
  expect(await new HttpSequence({ server, name: 'n', random }).nextBlock(2)).toMatchObject(firstOfBlock)
  http.script(page)
  await expect(new HttpSequence({ server, name: 'n', settleMs: 0 }).next()).rejects.toMatchObject({
    code: 'outcome-unknown',
    message: expect.stringContaining('The answer 404 of'),
  })
})

const firstOfBlock = { first: 9_007_199_254_740_993n }
const tenure = { name: 'g', owner: 'me', token: 7n, ttlSeconds: 12 }
const led = { status: 200, body: { group: 'g', owner: 'me', term: '3', since: '2026-01-01T00:00:00.000Z' } }

it('a holder begins its term by a campaign, with its token and its TTL', async () => {
  http.script(led)
  const term = await new HttpTerms({ server }).begin(tenure)
  expect(term).toEqual({ term: 3n, leader: 'me', token: 7n, sinceMs: Date.UTC(2026, 0, 1) })
  expect(http.asked[0]).toMatchObject({
    method: 'POST',
    url: '/v1/elections/g',
    body: { owner: 'me', token: '7', renewOnly: true, ttlSeconds: 12 },
  })
})

it('a term: after a lost answer it sends the same request again', async () => {
  http.script('cut', led)
  expect((await new HttpTerms({ server, random }).begin(tenure)).term).toBe(3n)
})

it.each([
  [
    'another owner holds the lease',
    [problem(412, 'not-holder', { holder: { owner: 'rival' } })],
    'not-holder',
  ],
  ['the lease has no holder', [problem(404, 'not-held')], 'not-holder'],
  ['a later term has begun', [problem(409, 'lock-held')], 'superseded'],
])('no term begins when %s', async (_when, answers, reason) => {
  http.script(...answers)
  await expect(new HttpTerms({ server }).begin(tenure)).rejects.toMatchObject({ code: 'lease-lost', reason })
})

it('no term begins when a later one has, also after a lost answer', async () => {
  http.script('cut', problem(409, 'lock-held'))
  await expect(new HttpTerms({ server, random }).begin(tenure)).rejects.toMatchObject({
    code: 'lease-lost',
    reason: 'superseded',
  })
})

it('an abort ends the wait for a term at once, also while the server does not answer', async () => {
  http.script('silent')
  const stop = new AbortController()
  const begun = new HttpTerms({ server }).begin(tenure, { signal: stop.signal })
  await expect.poll(() => http.asked.length).toBe(1)
  stop.abort(new Error('changed my mind'))
  await expect(begun).rejects.toThrow('changed my mind')
})

it('an unreachable server is unavailable, not an unknown outcome', async () => {
  const closed = await scriptedServer()
  await closed.close()
  const away = new LeaseholdServer({ url: closed.url })
  const term = new HttpTerms({ server: away, settleMs: 0 }).begin(tenure)
  await expect(term).rejects.toMatchObject({ code: 'store-unavailable' })
  const number = new HttpSequence({ server: away, name: 'n', settleMs: 0 }).next()
  await expect(number).rejects.toMatchObject({ code: 'store-unavailable' })
})

it('the last term is the present leader’s', async () => {
  const election = { group: 'g', leader: 'me', term: '3', token: '7', since: '2026-01-01T00:00:00.000Z' }
  http.script(
    { status: 200, body: election },
    { status: 200, body: { ...election, leader: null, term: null } },
  )
  const terms = new HttpTerms({ server })
  expect(await terms.last('g')).toMatchObject({ term: 3n, leader: 'me', token: 7n })
  expect(await terms.last('g')).toBeNull()
})
