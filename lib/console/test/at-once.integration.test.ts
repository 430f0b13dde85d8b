import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, cookieOf, type TestConsole, testConsole } from './test-console.ts'
import { emptiedKeyspace } from './test-keyspace.ts'

/** A waiting request ends when its sender loses the permission: at once on the instance of the change, within 2 s on others. */
let keyspace: string
/** What is changed is changed on `here`; requests wait on both. */
let here: TestConsole
let there: TestConsole
const password = 'a password of theirs'

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  here = await testConsole(keyspace)
  there = await testConsole(keyspace)
  await here.api('PUT', '/v1/locks/held', { owner: 'one', ttlSeconds: 600 })
  await here.api('POST', '/v1/elections/led', { ttlSeconds: 600 })
})
afterAll(() => Promise.all([here?.context.session.close(), there?.context.session.close()]))

const waits = [
  ['GET', '/v1/locks/held?wait=40s&since=one'],
  ['GET', '/v1/elections/led?wait=40s&since=LEADER'],
  ['POST', '/v1/elections/led?wait=40s'],
] as const

/** What is promised is a look at once where it was changed, and 2 s elsewhere; and a second for two noisy cores. */
const nearMs = 1_000
const farMs = 3_000
/** To look takes a few reads, one after the other. */
const readsOfALook = 3

interface Told {
  code: string
  /** Beyond what the reads of a look take on this machine at that time, or for which the process stood still. */
  afterMs: number
}

/** Starts the waits of one identity on both instances, changes something, and gives what each was answered, and when. */
async function endedBy(
  headers: Record<string, string>,
  change: () => Promise<Answer>,
  onAnswer: (code: string | undefined) => void = () => {},
): Promise<Told[][]> {
  let changedMs = Number.POSITIVE_INFINITY
  const leader = (await here.api('GET', '/v1/elections/led')).body.leader
  const started = [here, there].map((instance) =>
    waits.map(async ([method, path]) => {
      const url = path.replace('LEADER', encodeURIComponent(leader))
      const { body } = await instance.api(method, url, undefined, headers)
      onAnswer(body?.code)
      return { code: body.code, afterMs: performance.now() - changedMs }
    }),
  )
  await expect
    .poll(() => Math.min(...[here, there].map(({ context }) => context.holders.watched)))
    .toBeGreaterThanOrEqual(2)
  expect((await change()).status).toBeLessThan(300)
  changedMs = performance.now()
  const [told, turnMs] = await besideReads(Promise.all(started.map((each) => Promise.all(each))))
  const looksMs = readsOfALook * turnMs
  return told.map((each) => each.map(({ code, afterMs }) => ({ code, afterMs: afterMs - looksMs })))
}

/**
 * What `work` gives, and how long the slowest turn took meanwhile, of a read and a short pause: the process may stand still in
 * either of them.
 */
async function besideReads<T>(work: Promise<T>): Promise<[T, number]> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let slowestMs = 0
  do {
    const beganMs = performance.now()
    await here.api('GET', '/v1/elections/led')
    await new Promise((done) => setTimeout(done, 20))
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
  } while (!isOver)
  return [await over, slowestMs]
}

function expectTold([near = [], far = []]: Told[][], codes: string[]): void {
  for (const told of [near, far]) expect(told.map(({ code }) => code)).toEqual(codes)
  for (const { afterMs } of near) expect(afterMs).toBeLessThan(nearMs)
  for (const { afterMs } of far) expect(afterMs).toBeLessThan(farMs)
}

describe('requests that wait are ended', () => {
  const person = async (username: string) => {
    await here.api('POST', '/v1/users', { username, password, role: 'operator' })
    const signedIn = await here.api('POST', '/v1/session', { username, password }, { cookie: '' })
    return { cookie: cookieOf(signedIn) }
  }
  const gone = waits.map(() => 'unauthenticated')

  it('when their user is disabled', async () => {
    const told = await endedBy(await person('ann'), () =>
      here.api('PUT', '/v1/users/ann', { disabled: true }),
    )
    expectTold(told, gone)
  })

  it('when they sign out', async () => {
    const headers = await person('bob')
    expectTold(await endedBy(headers, () => here.api('DELETE', '/v1/session', undefined, headers)), gone)
  })

  it('when their token is revoked', async () => {
    const { body } = await here.api('POST', '/v1/tokens', { name: 'billing', prefixes: ['held', 'led'] })
    const headers = { cookie: '', authorization: `Bearer ${body.token}` }
    expectTold(await endedBy(headers, () => here.api('DELETE', `/v1/tokens/${body.id}`)), gone)
  })

  it('where a new role does not allow them', async () => {
    const headers = await person('cid')
    let forbidden = 0
    const started = endedBy(
      headers,
      () => here.api('PUT', '/v1/users/cid', { role: 'viewer' }),
      (code) => {
        if (code === 'forbidden') forbidden += 1
      },
    )
    await expect.poll(() => forbidden).toBe(2)
    // The reads are a viewer's too: they end because the lease does.
    await here.api('DELETE', '/v1/locks/held?owner=one')
    const { body } = await here.api('GET', '/v1/elections/led')
    await here.api('DELETE', `/v1/elections/led?owner=${encodeURIComponent(body.leader)}`)
    const told = await started
    expect(told.map((each) => each.map(({ code }) => code))).toEqual(
      told.map(() => ['not-held', undefined, 'forbidden']),
    )
    for (const [near, far] of [told.map((each) => each[2]?.afterMs as number)])
      expect([(near as number) < nearMs, (far as number) < farMs]).toEqual([true, true])
  })
})
