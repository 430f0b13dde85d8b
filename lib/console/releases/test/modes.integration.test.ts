/** Who may release what, in which mode, and who is told what: against the real Cassandra. */
import { StatementProxy } from 'leasehold/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encodeSegment } from '../../../contract/path.ts'
import { quarantineOf } from '../../../contract/quarantine.ts'
import { releasePlanSchema, releaseSchema } from '../../../contract/release.ts'
import { serve } from '../../http/router.ts'
import { type Answer, cookieOf, type TestConsole, testConsole, testOrigin } from '../../test/test-console.ts'
import { noReport } from '../release-record.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const password = 'a password of some length'
const keyspace = `release_modes_${process.pid}`
let console: TestConsole

type Person = (method: string, path: string, body?: unknown) => Promise<Answer>

async function person(username: string, role: string, { elevated = true } = {}): Promise<Person> {
  await console.api('POST', '/v1/users', { username, password, role })
  let cookie = cookieOf(await console.api('POST', '/v1/session', { username, password }, { cookie: '' }))
  const api: Person = (method, path, body) => console.api(method, path, body, { cookie })
  if (elevated) cookie = cookieOf(await api('POST', '/v1/session/elevation', { password }))
  return api
}

beforeAll(async () => {
  const config = { secondPersonFor: ['two/'], secondPersonAfterHours: 0 }
  console = await testConsole(keyspace, { LEASEHOLD_CONFIG: JSON.stringify(config) })
})
afterAll(() => console?.context.session.close())

const path = (name: string, rest = '') => `/v1/leases/${encodeSegment(name)}${rest}`
const acquire = (name: string, owner: string, ttlSeconds = 30) =>
  console.api('PUT', `/v1/locks/${encodeSegment(name)}`, { owner, ttlSeconds })
const ownerOf = async (name: string) => (await console.api('GET', path(name))).body.owner
const planBy = async (who: Person, name: string) => (await who('POST', path(name, '/release-plan'), {})).body
const actBy = (who: Person, name: string, plan: string, mode: string, more = {}) =>
  who('POST', path(name, '/release'), { plan, mode, reason: 'INC-1', confirmName: name, ...more })
const entriesOf = async (name: string) => {
  const { entries } = await console.context.audit.page({ name, chain: 'main', limit: 100 })
  return entries.map(({ act, phase, actor, outcome }) => [actor.username, act, phase, outcome])
}

describe('break', () => {
  it('keeps everybody out until it is safe, and the holder hears of it', async () => {
    const operator = await person('breaker', 'operator')
    await acquire('broken', 'holder', 4)
    const made = releasePlanSchema.parse(await planBy(operator, 'broken'))
    expect(made.modes.break).toMatchObject({ allowed: true, overlapMs: 0 })
    const done = await actBy(operator, 'broken', made.plan, 'break')
    const release = releaseSchema.parse(done.body)
    expect([done.status, release.outcome]).toEqual([200, 'broken'])
    const owner = await ownerOf('broken')
    expect(quarantineOf(owner, release.current?.value ?? null)).toMatchObject({
      releaseId: made.id,
      note: { was: 'holder', by: 'breaker' },
    })
    // The old holder is refused, and so is everybody else, until it is safe.
    expect((await acquire('broken', 'holder', 4)).status).toBe(409)
    expect((await acquire('broken', 'next', 4)).status).toBe(409)
    const replanned = await planBy(operator, 'broken')
    expect(replanned).toMatchObject({ code: 'not-releasable', release: { outcome: 'broken' } })
    const safeAtMs = Date.parse(release.safeAt ?? '')
    expect(safeAtMs - Date.parse(release.now)).toBeGreaterThan(4_000)
    expect(safeAtMs - Date.parse(release.now)).toBeLessThanOrEqual((made.modes.break.quarantineMs ?? 0) + 100)
    await pause(safeAtMs - Date.now() + 50)
    expect((await acquire('broken', 'next', 4)).status).toBe(201)
    expect(await entriesOf('broken')).toEqual([
      ['breaker', 'release', 'outcome', 'broken'],
      ['breaker', 'release', 'intent', null],
      ['breaker', 'release-plan', 'event', 'ok'],
    ])
  })

  it('needs an elevation, an operator and the typed name; kill an admin', async () => {
    const lowly = await person('lowly', 'operator', { elevated: false })
    const operator = await person('no-admin', 'operator')
    const viewer = await person('looks-on', 'viewer', { elevated: false })
    await acquire('gated', 'holder')
    expect((await viewer('POST', path('gated', '/release-plan'), {})).status).toBe(403)
    const made = releasePlanSchema.parse(await planBy(lowly, 'gated'))
    expect(made.modes).toMatchObject({
      ask: { allowed: true, needsElevation: false },
      break: { allowed: true, needsElevation: true },
      kill: { allowed: false, reason: expect.stringContaining('Only admins may kill') },
    })
    expect((await actBy(lowly, 'gated', made.plan, 'break')).body.code).toBe('elevation-needed')
    const mine = await planBy(operator, 'gated')
    expect((await actBy(operator, 'gated', mine.plan, 'kill')).body.code).toBe('forbidden')
    expect((await actBy(operator, 'gated', mine.plan, 'break', { confirmName: 'gate' })).body.code).toBe(
      'name-mismatch',
    )
    expect(await ownerOf('gated')).toBe('holder')
    // Naming the owner is no way around it.
    expect((await operator('DELETE', '/v1/locks/gated?owner=holder')).body.code).toBe('forbidden')
    expect((await lowly('DELETE', '/v1/elections/gated?owner=holder')).body.code).toBe('forbidden')
    expect(await ownerOf('gated')).toBe('holder')
    // What one acquired oneself, by hand, is one's own.
    const own = (await lowly('PUT', '/v1/locks/by-hand', { ttlSeconds: 30 })).body
    expect(
      (await operator('DELETE', `/v1/locks/by-hand?owner=${encodeURIComponent(own.owner)}`)).status,
    ).toBe(403)
    expect((await lowly('DELETE', `/v1/locks/by-hand?owner=${encodeURIComponent(own.owner)}`)).status).toBe(
      204,
    )
    const { entries } = await console.context.audit.page({ chain: 'refused', username: 'lowly', limit: 10 })
    expect(entries.map(({ outcome }) => outcome)).toContain('elevation-needed')
  })

  it('is not offered for a lease that never ends', async () => {
    const operator = await person('patient', 'operator')
    const { session } = console.context
    await session.client.execute(
      `UPDATE "${session.keyspace}".leases USING TTL 0 SET owner = 'for ever' WHERE name = 'eternal' IF owner = null`,
    )
    const made = await planBy(operator, 'eternal')
    expect(made.modes.break).toMatchObject({ allowed: false, reason: expect.stringContaining('no expiry') })
    expect((await actBy(operator, 'eternal', made.plan, 'break')).body.code).toBe('forbidden')
  })
})

describe('ask', () => {
  it('reaches the holder that was planned, without elevation or typed name', async () => {
    const operator = await person('asker', 'operator', { elevated: false })
    await acquire('asked', 'holder', 30)
    const made = await planBy(operator, 'asked')
    const done = await operator('POST', path('asked', '/release'), {
      plan: made.plan,
      mode: 'ask',
      reason: 'It schedules nothing',
    })
    expect([done.status, done.body.outcome]).toEqual([200, 'asked'])
    const { requests } = (await console.api('GET', '/v1/resign-requests/asked')).body
    expect(requests).toMatchObject([
      { id: made.id, owner: 'holder', requestedBy: 'asker', reason: 'It schedules nothing' },
    ])
    expect(await ownerOf('asked')).toBe('holder')
    const of = async (owner: string) =>
      (await console.api('GET', `/v1/resign-requests/asked?owner=${owner}`)).body.requests
    expect([await of('holder'), await of('earlier')]).toEqual([requests, []])
  })
})

describe('two people', () => {
  it('act on one lease at the same time: one acts, the other is told what happened', async () => {
    const [first, second] = [await person('op-1', 'operator'), await person('op-2', 'operator')]
    for (let round = 0; round < 20; round++) {
      const name = `both/${round}`
      await acquire(name, 'holder', 30)
      const plans = await Promise.all([planBy(first, name), planBy(second, name)])
      const answers = await Promise.all([
        actBy(first, name, plans[0].plan, 'break'),
        actBy(second, name, plans[1].plan, 'break'),
      ])
      const winner = answers.findIndex(({ status }) => status === 200)
      const [won, lost] = [answers[winner], answers[1 - winner]] as [Answer, Answer]
      expect(won.body.outcome).toBe('broken')
      expect([lost.status, lost.body.code]).toEqual([409, 'holder-changed'])
      expect(lost.body.release).toMatchObject({
        id: won.body.id,
        plannedBy: `op-${winner + 1}`,
        mode: 'break',
      })
    }
  })

  it('act on one plan: it is its maker’s, it is used once, and whoever comes second is told', async () => {
    const [first, second] = [await person('op-3', 'operator'), await person('op-4', 'operator')]
    await acquire('one-plan', 'holder', 30)
    const made = await planBy(first, 'one-plan')
    expect((await actBy(second, 'one-plan', made.plan, 'break')).body.code).toBe('plan-invalid')
    const answers = await Promise.all([1, 2, 3].map(() => actBy(first, 'one-plan', made.plan, 'break')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.filter(({ body }) => body.code === 'plan-used')).toHaveLength(2)
    const late = await actBy(second, 'one-plan', made.plan, 'break')
    expect(late.body).toMatchObject({ code: 'plan-used', release: { outcome: 'broken', plannedBy: 'op-3' } })
    // The permalink tells anybody who may look.
    expect((await second('GET', `/v1/releases/${made.id}`)).body).toMatchObject({
      outcome: 'broken',
      plannedBy: 'op-3',
      reason: 'INC-1',
    })
  })
})

describe('a name that two people release', () => {
  const asked = async (name: string, by: Person, mode = 'break') => {
    await acquire(name, 'holder', 60)
    const made = await planBy(by, name)
    expect(made.secondPerson).toBe(true)
    const answer = await actBy(by, name, made.plan, mode)
    expect([answer.status, answer.body.outcome]).toEqual([202, 'awaiting-approval'])
    return made.id as string
  }

  it('waits for another operator, never for whoever asked', async () => {
    const [first, second] = [await person('op-5', 'operator'), await person('op-6', 'operator')]
    const lowly = await person('op-7', 'operator', { elevated: false })
    const id = await asked('two/a', first)
    expect(await ownerOf('two/a')).toBe('holder')
    const waiting = (await second('GET', '/v1/releases')).body.releases
    expect(waiting.map((release: { id: string }) => release.id)).toContain(id)
    expect((await first('POST', `/v1/releases/${id}/approval`)).body.code).toBe('forbidden')
    expect((await lowly('POST', `/v1/releases/${id}/approval`)).body.code).toBe('elevation-needed')
    const [one, two] = await Promise.all([
      second('POST', `/v1/releases/${id}/approval`),
      console.api('POST', `/v1/releases/${id}/approval`),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    const done = one.status === 200 ? one.body : two.body
    expect(releaseSchema.parse(done)).toMatchObject({
      outcome: 'broken',
      plannedBy: 'op-5',
      approval: { by: one.status === 200 ? 'op-6' : 'admin' },
    })
    expect(await ownerOf('two/a')).toBe(`!quarantine:${id}`)
    expect((await first('GET', '/v1/releases')).body.releases).not.toContainEqual(
      expect.objectContaining({ id }),
    )
    // The outcome is written behind the answer.
    await expect
      .poll(() => entriesOf('two/a'))
      .toContainEqual([done.approval.by, 'release', 'outcome', 'broken'])
    const acts = (await entriesOf('two/a')).map(([username, act, , outcome]) => [username, act, outcome])
    expect(acts).toContainEqual(['op-5', 'release-request', 'ok'])
    expect(acts).toContainEqual([done.approval.by, 'approval', 'ok'])
  })

  it('can be rejected, or taken back, and then releases nothing', async () => {
    const [first, second] = [await person('op-8', 'operator'), await person('op-9', 'operator')]
    const id = await asked('two/b', first)
    const rejected = await second('POST', `/v1/releases/${id}/rejection`, { reason: 'It is the leader.' })
    expect(rejected.body).toMatchObject({
      outcome: 'rejected',
      approval: { by: 'op-9', reason: 'It is the leader.' },
    })
    expect((await second('POST', `/v1/releases/${id}/approval`)).body).toMatchObject({
      code: 'not-awaiting',
      release: { outcome: 'rejected' },
    })
    expect(await ownerOf('two/b')).toBe('holder')
    const back = await asked('two/c', first)
    expect((await first('POST', `/v1/releases/${back}/rejection`, { reason: 'Mistaken.' })).status).toBe(200)
  })

  it('is not approved for somebody who may not release any more', async () => {
    const [first, second] = [await person('op-10', 'operator'), await person('op-11', 'operator')]
    const id = await asked('two/d', first)
    await console.api('PUT', '/v1/users/op-10', { disabled: true })
    expect((await second('POST', `/v1/releases/${id}/approval`)).body.code).toBe('forbidden')
    expect(await ownerOf('two/d')).toBe('holder')
  })
})

describe('one person with two accounts', () => {
  const dayMs = 24 * 3_600_000
  let strict: TestConsole

  beforeAll(async () => {
    const config = { secondPersonFor: ['two/'] }
    strict = await testConsole(`${keyspace}_strict`, { LEASEHOLD_CONFIG: JSON.stringify(config) })
  })
  afterAll(() => strict?.context.session.close())

  /** Signed in and elevated; as if the account was made that long ago. */
  async function account(username: string, agoMs: number): Promise<string> {
    const { users } = strict.context
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - agoMs })
    await users.create(username, password, 'admin', 'admin').finally(() => vi.useRealTimers())
    return signedIn(username)
  }
  async function signedIn(username: string): Promise<string> {
    const first = await strict.api('POST', '/v1/session', { username, password }, { cookie: '' })
    const cookie = cookieOf(first)
    return cookieOf(await strict.api('POST', '/v1/session/elevation', { password }, { cookie }))
  }
  async function request(name: string, cookie: string): Promise<string> {
    await strict.api('PUT', `/v1/locks/${encodeSegment(name)}`, { owner: 'holder', ttlSeconds: 60 })
    const made = (await strict.api('POST', path(name, '/release-plan'), {}, { cookie })).body
    const body = { plan: made.plan, mode: 'kill', reason: 'INC-1', confirmName: name }
    expect((await strict.api('POST', path(name, '/release'), body, { cookie })).status).toBe(202)
    return made.id
  }
  const approve = async (id: string, cookie: string) => {
    const { status, body } = await strict.api('POST', `/v1/releases/${id}/approval`, undefined, { cookie })
    return [status, body.code ?? body.outcome]
  }

  it('is refused: neither approves an account that was made or changed within a day, nor is one approved', async () => {
    const [old, older, young] = [
      await account('old', 2 * dayMs),
      await account('older', 3 * dayMs),
      await account('young', 3_600_000),
    ]
    const id = await request('two/alone', old)
    expect(await approve(id, young)).toEqual([403, 'forbidden'])
    expect(await approve(await request('two/other', young), old)).toEqual([403, 'forbidden'])
    expect(await approve(id, older)).toEqual([200, 'released'])
    // A password that another account set, which the owner of the account then changes, to hide it.
    const again = await request('two/again', old)
    await strict.context.users.setPassword('older', 'a password of old', { by: 'old' })
    await strict.context.users.setPassword('older', password, { by: 'older' })
    expect(await approve(again, await signedIn('older'))).toEqual([403, 'forbidden'])
  })
})

describe('ways around a plan', () => {
  it('renewing somebody else’s lease for a shorter while is a kill', async () => {
    const operator = await person('shortener', 'operator')
    await acquire('long', 'holder', 600)
    for (const body of [
      { owner: 'holder', ttlSeconds: 2, renewOnly: true },
      { owner: 'holder', ttlSeconds: 2 },
    ])
      expect((await operator('PUT', '/v1/locks/long', body)).body.code).toBe('forbidden')
    expect((await operator('POST', '/v1/elections/long', { owner: 'holder', ttlSeconds: 2 })).body.code).toBe(
      'forbidden',
    )
    expect((await console.api('GET', path('long'))).body.ttlSeconds).toBe(600)
    // One's own may be renewed.
    const own = (await operator('PUT', '/v1/locks/short', { ttlSeconds: 30 })).body
    const renewal = { owner: own.owner, ttlSeconds: 20, renewOnly: true }
    expect((await operator('PUT', '/v1/locks/short', renewal)).status).toBe(200)
    // Whoever may kill may do so here too, and it is written down.
    expect((await acquire('long', 'holder', 10)).status).toBe(200)
    await expect.poll(() => entriesOf('long')).toContainEqual(['admin', 'release', 'outcome', 'renewed'])
  })

  it('a name that two people release is not released by one who names its owner', async () => {
    await console.api('PUT', '/v1/locks/two%2Fdirect', { owner: 'holder', ttlSeconds: 60 })
    expect((await console.api('DELETE', '/v1/locks/two%2Fdirect?owner=holder')).body.code).toBe('forbidden')
    expect((await console.api('DELETE', '/v1/elections/two%2Fdirect?owner=holder')).body.code).toBe(
      'forbidden',
    )
    expect(await ownerOf('two/direct')).toBe('holder')
  })

  it('the console’s own leases are nobody’s to hold', async () => {
    expect((await acquire('leasehold/recovery', 'me')).body.code).toBe('forbidden')
    expect((await console.api('DELETE', '/v1/locks/leasehold%2Frecovery?owner=me')).body.code).toBe(
      'forbidden',
    )
  })

  it('a plan that nobody acted on cannot be approved', async () => {
    const operator = await person('approver', 'operator')
    await acquire('only-planned', 'holder')
    const made = await planBy(operator, 'only-planned')
    expect((await console.api('POST', `/v1/releases/${made.id}/approval`)).body.code).toBe('not-awaiting')
    expect(await ownerOf('only-planned')).toBe('holder')
  })

  it('one value under a key is authorised and another one used: neither is', async () => {
    const made = await console.api('POST', '/v1/tokens', {
      name: 'billing',
      role: 'viewer',
      prefixes: ['billing/'],
    })
    const authorization = `Bearer ${made.body.token}`
    const listed = await console.api('GET', '/v1/leases?prefix=billing/&prefix=', undefined, {
      cookie: '',
      authorization,
    })
    expect([listed.status, listed.body.code]).toEqual([400, 'bad-request'])
  })
})

it('whoever is disabled while their body is on its way does nothing', async () => {
  const { context, cookie } = console
  await console.api('POST', '/v1/users', { username: 'slow', password, role: 'admin' })
  const signedIn = cookieOf(
    await console.api('POST', '/v1/session', { username: 'slow', password }, { cookie: '' }),
  )
  const elevated = cookieOf(
    await console.api('POST', '/v1/session/elevation', { password }, { cookie: signedIn }),
  )
  const text = JSON.stringify({ username: 'backdoor', password, role: 'admin' })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)))
      await pause(300)
      await console.api('PUT', '/v1/users/slow', { disabled: true }, { cookie })
      controller.enqueue(new TextEncoder().encode(text.slice(10)))
      controller.close()
    },
  })
  const headers = { origin: testOrigin, 'content-type': 'application/json', cookie: elevated }
  const request = new Request(`${testOrigin}/v1/users`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit)
  expect((await serve(request, context)).status).toBe(401)
  expect(await context.users.find('backdoor')).toBeNull()
})

it('an outcome that another instance found out before is the outcome: there is one', async () => {
  const [host = '', port = ''] = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':')
  const proxy = await StatementProxy.listen(host, Number(port), {
    fault: ({ cql, values }) =>
      cql.startsWith('DELETE') && values.some((value) => value?.toString() === 'held-up')
        ? { kind: 'hold-answer', ms: 4_000 }
        : undefined,
  })
  const other = await testConsole(keyspace, { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  try {
    await acquire('two-outcomes', 'held-up', 60)
    const made = await planBy(other.api, 'two-outcomes')
    const answer = await actBy(other.api, 'two-outcomes', made.plan, 'kill')
    expect([answer.status, answer.body.outcome]).toEqual([202, 'pending'])
    await console.context.releases.settle(made.id, { ...noReport, outcome: 'superseded' })
    await expect.poll(() => other.context.releases.isRunning(made.id), { timeout: 20_000 }).toBe(false)
    expect((await other.api('GET', `/v1/releases/${made.id}`)).body.outcome).toBe('superseded')
    expect((await entriesOf('two-outcomes')).filter(([, , phase]) => phase === 'outcome')).toEqual([])
  } finally {
    await other.context.session.close()
    await proxy.close()
  }
}, 60_000)
