import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../http/router.ts'
import { type Answer, type TestConsole, testConsole, testOrigin } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

/** Blocking queries on locks and elections, and campaigning on behalf of clients. */
// New each time: terms and sequences do not expire.
let keyspace: string
let console: TestConsole
const owner = (text: string) => encodeURIComponent(text)
const put = (name: string, body: unknown) => console.api('PUT', `/v1/locks/${name}`, body)
const remove = (name: string, by: string) => console.api('DELETE', `/v1/locks/${name}?owner=${owner(by)}`)
const get = (path: string) => console.api('GET', path)

/** Whether it is still unanswered after a while in which it would have been answered. */
async function isWaiting(answer: Promise<Answer>): Promise<boolean> {
  const open = Symbol()
  return (await Promise.race([answer, new Promise((done) => setTimeout(() => done(open), 400))])) === open
}

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  console = await testConsole(keyspace)
})
afterAll(() => console?.context.session.close())

describe('GET /v1/locks with wait and since', () => {
  it('is answered when the lock is released, and when another owner acquires it', async () => {
    await put('w1', { owner: 'one', ttlSeconds: 60 })
    const gone = get('/v1/locks/w1?wait=30s&since=one')
    expect(await isWaiting(gone)).toBe(true)
    await remove('w1', 'one')
    expect((await gone).status).toBe(404)

    const come = get('/v1/locks/w1?wait=30s')
    expect(await isWaiting(come)).toBe(true)
    await put('w1', { owner: 'two', ttlSeconds: 60 })
    expect((await come).body.owner).toBe('two')
    expect((await get('/v1/locks/w1?wait=30s&since=one')).body.owner).toBe('two')
  })

  it('is answered at the expiry', async () => {
    await put('w2', { owner: 'one', ttlSeconds: 2 })
    expect((await get('/v1/locks/w2?wait=20s&since=one')).status).toBe(404)
  })

  it('does not end at a renewal, and gives the present state when the wait is over', async () => {
    const renew = () => put('w3', { owner: 'one', ttlSeconds: 600 })
    await renew()
    const renewedMeanwhile = async () => {
      const beganMs = performance.now()
      const over = get('/v1/locks/w3?wait=8s&since=one')
      // So that the wait has read the lease before.
      await isWaiting(over)
      const { version } = (await renew()).body
      return { isInTime: performance.now() - beganMs < 7_500, version, over: await over }
    }
    let played = await renewedMeanwhile()
    // On a busy machine a renewal may be answered after the wait.
    for (let rounds = 1; !played.isInTime && rounds < 5; rounds++) played = await renewedMeanwhile()
    expect(played.over.body).toMatchObject({ owner: 'one', version: played.version })

    const waiting = get('/v1/locks/w3?wait=60s&since=one')
    expect(await isWaiting(waiting)).toBe(true)
    await renew()
    expect(await isWaiting(waiting)).toBe(true)
    await remove('w3', 'one')
    expect((await waiting).status).toBe(404)
    expect((await get('/v1/locks/w3?wait=61s')).body.detail).toContain('longer than 60s')
    expect((await get('/v1/locks/w3?wait=soon')).body.detail).toContain('not a duration')
  })

  it('answers a HEAD at once', async () => {
    await put('w4', { owner: 'one', ttlSeconds: 60 })
    expect((await console.api('HEAD', '/v1/locks/w4?wait=30s&since=one')).status).toBe(200)
  })

  it('watches a lock once for all waiting requests, and stops with the last of them', async () => {
    const { holders } = console.context
    await put('w5', { owner: 'one', ttlSeconds: 60 })
    const waiting = Array.from({ length: 50 }, () => get('/v1/locks/w5?wait=30s&since=one'))
    await expect.poll(() => holders.watched).toBe(1)
    expect(await isWaiting(waiting[0] as Promise<Answer>)).toBe(true)
    expect(holders.watched).toBe(1)
    await remove('w5', 'one')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 404))
    expect(holders.watched).toBe(0)
  })

  it('leaves nothing behind when the client disconnects', async () => {
    const { holders } = console.context
    await put('w6', { owner: 'one', ttlSeconds: 60 })
    const leaving = new AbortController()
    const request = new Request(`${testOrigin}/v1/locks/w6?wait=60s&since=one`, {
      headers: { cookie: console.cookie },
      signal: leaving.signal,
    })
    const answer = serve(request, console.context)
    while (holders.watched === 0) await new Promise((done) => setTimeout(done, 10))
    leaving.abort()
    await answer
    expect(holders.watched).toBe(0)
  })
})

describe('PUT with renewOnly', () => {
  it('renews, and never acquires', async () => {
    expect((await put('r1', { owner: 'one', renewOnly: true })).status).toBe(404)
    await put('r1', { owner: 'one', ttlSeconds: 60 })
    expect((await put('r1', { owner: 'one', renewOnly: true, ttlSeconds: 50 })).status).toBe(200)
    const other = await put('r1', { owner: 'two', renewOnly: true })
    expect([other.status, other.body.code, other.body.holder.owner]).toEqual([412, 'not-holder', 'one'])
    await remove('r1', 'one')
    expect((await put('r1', { owner: 'one', renewOnly: true })).body.code).toBe('not-held')
    expect((await put('r1', { renewOnly: true })).body.detail).toBe(
      'renewOnly needs the owner that is to be renewed.',
    )
  })
})

describe('elections', () => {
  const campaign = (group: string, body: unknown = {}, query = '') =>
    console.api('POST', `/v1/elections/${group}${query}`, body)
  const resign = (group: string, by: string) =>
    console.api('DELETE', `/v1/elections/${group}?owner=${owner(by)}`)

  it('have terms and tokens that grow from leader to leader', async () => {
    expect((await get('/v1/elections/e1')).body).toMatchObject({ group: 'e1', leader: null, term: null })
    const first = await campaign('e1', { value: 'host-a', ttlSeconds: 60 })
    expect([first.status, first.body.term]).toEqual([201, '1'])
    expect((await get('/v1/elections/e1')).body).toMatchObject({
      leader: first.body.owner,
      value: 'host-a',
      term: '1',
      token: first.body.token,
      since: first.body.since,
    })
    const kept = await campaign('e1', { owner: first.body.owner, ttlSeconds: 60 })
    expect([kept.status, kept.body.term, kept.body.token]).toEqual([200, '1', first.body.token])
    const rival = await campaign('e1')
    expect([rival.status, rival.body.holder.owner]).toEqual([409, first.body.owner])
    expect((await resign('e1', 'stranger')).status).toBe(412)
    expect((await resign('e1', first.body.owner)).status).toBe(204)
    expect((await resign('e1', first.body.owner)).status).toBe(404)
    const second = await campaign('e1')
    expect(second.body.term).toBe('2')
    expect(BigInt(second.body.token)).toBeGreaterThan(BigInt(first.body.token))
  })

  it('are won by a waiting candidate when the leader resigns', async () => {
    const leader = await campaign('e2', { ttlSeconds: 60 })
    expect((await campaign('e2', {}, '?wait=1s')).status).toBe(409)
    const candidate = (i: number) =>
      campaign('e2', { ttlSeconds: 600 }, '?wait=60s').then((answer) => ({ i, answer }))
    const waiting = [candidate(0), candidate(1)] as const
    expect(await isWaiting(waiting[0].then(({ answer }) => answer))).toBe(true)
    const observed = get(`/v1/elections/e2?wait=60s&since=${owner(leader.body.owner)}`)
    await resign('e2', leader.body.owner)
    const winner = await Promise.race(waiting)
    expect(winner.answer.status).toBe(201)
    const other = (waiting[1 - winner.i] as (typeof waiting)[0]).then(({ answer }) => answer)
    expect(await isWaiting(other)).toBe(true)
    await resign('e2', winner.answer.body.owner)
    expect((await other).status).toBe(201)
    expect((await observed).body.leader).not.toBe(leader.body.owner)
  })

  it('give a term to a leader that acquired the group as a lock, for its token', async () => {
    const lock = await put('e3', { ttlSeconds: 60 })
    const future = await campaign('e3', { owner: lock.body.owner, token: `${lock.body.token}000` })
    expect([future.status, future.body.code]).toEqual([400, 'bad-request'])
    const led = await campaign('e3', { owner: lock.body.owner, token: lock.body.token })
    expect([led.status, led.body.term]).toEqual([200, '1'])
    expect((await get('/v1/elections/e3')).body.token).toBe(lock.body.token)
    // Without its token it gets one that is above every earlier leader's.
    const other = await put('e3b', { ttlSeconds: 60 })
    const without = await campaign('e3b', { owner: other.body.owner })
    expect([without.status, without.body.term]).toEqual([200, '1'])
    expect(BigInt(without.body.token)).toBeGreaterThan(BigInt(other.body.token))
  })

  it('have one term for one tenure, whatever token its leader names', async () => {
    const lock = await put('e6', { ttlSeconds: 60 })
    const ownToken = lock.body.token as string
    const go = (token: string | undefined) => campaign('e6', { owner: lock.body.owner, token })
    // No conditional write has such a time.
    for (const made of ['-5', '0', '1', '99999999999']) {
      const refused = await go(made)
      expect([made, refused.status, refused.body.code]).toEqual([made, 400, 'bad-request'])
    }
    expect((await get('/v1/elections/e6')).body.term).toBeNull()
    const led = await go(ownToken)
    expect([led.status, led.body.term, led.body.token]).toEqual([200, '1', ownToken])
    for (const other of [`${BigInt(ownToken) + 1n}`, `${BigInt(ownToken) - 1n}`, led.body.version]) {
      const refused = await go(other)
      expect([other, refused.status, refused.body.code]).toEqual([other, 400, 'bad-request'])
      expect(refused.body.detail).toContain(`the token ${ownToken}.`)
    }
    const kept = await go(undefined)
    expect([kept.body.term, kept.body.token]).toEqual(['1', ownToken])
    // At once, too: one of them begins the term.
    const second = await put('e7', { ttlSeconds: 60 })
    const from = BigInt(second.body.token)
    const at = await Promise.all(
      [0n, 1n, 2n, 3n].map((less) =>
        campaign('e7', { owner: second.body.owner, token: `${from - less}`, ttlSeconds: 60 }),
      ),
    )
    expect(at.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect((await get('/v1/elections/e7')).body.term).toBe('1')
  })

  it('refuse a token that is older than an earlier leader’s', async () => {
    const first = await campaign('e8', { ttlSeconds: 60 })
    await resign('e8', first.body.owner)
    const lock = await put('e8', { ttlSeconds: 60 })
    const older = await campaign('e8', { owner: lock.body.owner, token: `${BigInt(first.body.token) - 1n}` })
    expect([older.status, older.body.code]).toEqual([400, 'bad-request'])
    const led = await campaign('e8', { owner: lock.body.owner, token: lock.body.token })
    expect([led.status, led.body.term]).toEqual([200, '2'])
  })

  it('are closed to a program whose token was revoked while it waited', async () => {
    const { body: program } = await console.api('POST', '/v1/tokens', {
      name: 'soon revoked',
      prefixes: [''],
    })
    const leader = await campaign('e5', { ttlSeconds: 60 })
    const waiting = console.api('POST', '/v1/elections/e5?wait=30s', undefined, {
      cookie: '',
      authorization: `Bearer ${program.token}`,
    })
    expect(await isWaiting(waiting)).toBe(true)
    await console.api('DELETE', `/v1/tokens/${program.id}`)
    await resign('e5', leader.body.owner)
    expect((await waiting).status).toBe(401)
    expect((await get('/v1/elections/e5')).body.leader).toBeNull()
  })

  it('show no leader during a quarantine, and a wait goes on', async () => {
    const store = console.context.tables.get('leases')?.leases.context.store
    await store?.acquire({ name: 'e5', owner: '!quarantine:plan', value: null, ttlSeconds: 60 })
    const waiting = get('/v1/elections/e5?wait=1s')
    expect(await isWaiting(waiting)).toBe(true)
    expect((await waiting).body.leader).toBeNull()
  })

  it('do not elect a candidate that has disconnected', async () => {
    const leader = await campaign('e4', { ttlSeconds: 60 })
    const leaving = new AbortController()
    const request = new Request(`${testOrigin}/v1/elections/e4?wait=60s`, {
      method: 'POST',
      headers: { cookie: console.cookie, origin: testOrigin },
      signal: leaving.signal,
    })
    const answer = serve(request, console.context)
    while (console.context.holders.watched === 0) await new Promise((done) => setTimeout(done, 10))
    leaving.abort()
    await answer
    await resign('e4', leader.body.owner)
    expect((await get('/v1/elections/e4')).body.leader).toBeNull()
    expect(console.context.holders.watched).toBe(0)
  })
})

it('ends all waits when the server does', async () => {
  const closing = await testConsole(keyspace)
  await put('c1', { owner: 'one', ttlSeconds: 60 })
  const waiting = closing.api('GET', '/v1/locks/c1?wait=60s&since=one')
  expect(await isWaiting(waiting)).toBe(true)
  closing.context.close()
  expect((await waiting).body.owner).toBe('one')
  await closing.context.session.close()
})
