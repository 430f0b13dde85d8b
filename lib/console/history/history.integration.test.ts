/** Two consoles on one keyspace: one records, and the other takes over when the first one is cut off. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LeaseEvent, LeaseHistory } from '../../contract/leases/history.ts'
import { defaultMapping } from '../../leasehold/cassandra/index.ts'
import { testContactPoint, testSession } from '../../leasehold/test/node-session.ts'
import { harmless } from '../../leasehold/test/patient-sessions.ts'
import { plainClient } from '../../leasehold/test/plain-client.ts'
import { FaultProxy } from '../../leasehold/testing/index.ts'
import { settledRelease, type TestConsole, testConsole } from '../test/test-console.ts'
import { emptiedKeyspace } from '../test/test-keyspace.ts'
import { recorderLease } from './recording/recorder.ts'

let keyspace: string
let proxy: FaultProxy
/** From now on the proxy cuts the first console off. */
let mayHarm: () => void
let one: TestConsole
let two: TestConsole

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
async function until<T>(look: () => Promise<T | null | undefined | false>, withinMs = 60_000): Promise<T> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${look}`)
    await pause(250)
  }
}

beforeAll(async () => {
  keyspace = await emptiedKeyspace()
  const [host = '', port = ''] = testContactPoint().split(':')
  proxy = await FaultProxy.listen(host, Number(port))
  mayHarm = harmless(proxy.contactPoint)
  two = await testConsole(keyspace)
  one = await testConsole(keyspace, { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
})
afterAll(async () => {
  for (const each of [one, two]) each?.context.close()
  await Promise.all([one, two].map((each) => each?.context.session.close()))
  await proxy?.close()
})

function begin({ context }: TestConsole): void {
  context.watch.begin()
  void context.recorder.run(context.closing)
}
const recorderNow = async () => (await two.context.tables.get('leases')?.leases.read(recorderLease))?.owner
async function history(name: string, query = ''): Promise<LeaseHistory> {
  const path = `/v1/leases/${encodeURIComponent(name)}/events${query}`
  const { status, body } = await two.api('GET', path)
  expect(status).toBe(200)
  return body
}
/** What no instance recorded. A busy machine may also have a pause of the store. */
const unrecorded = ({ notObserved }: LeaseHistory) => notObserved.filter(({ why }) => why === 'no-recorder')
const brief = ({ events }: LeaseHistory) =>
  events.map(({ kind, owner, source }: LeaseEvent) => `${kind} ${owner} ${source}`)

it('what a plain client does is recorded by one instance, and by the next one after a crash', async () => {
  begin(one)
  const first = await until(recorderNow)
  await until(async () => (await history('none')).recordedUntil)
  begin(two)
  const session = await testSession(keyspace)
  const plain = plainClient(session, defaultMapping)
  try {
    await plain.insertIfNotExists('jobs/a', 'w1', 'v', 600)
    await until(async () => (await history('jobs/a')).events.length === 1)
    await plain.deleteIfOwner('jobs/a', 'w1')
    const seen = await until(async () => {
      const found = await history('jobs/a')
      return found.events.length === 2 && found
    })
    expect(brief(seen)).toEqual(['released w1 observed', 'acquired w1 observed'])
    const [released, acquired] = seen.events
    expect(acquired?.at && released?.at && acquired.at < released.at).toBe(true)
    expect(released?.notBefore && released.notAfter && released.notBefore <= released.notAfter).toBe(true)
    expect(unrecorded(seen).every(({ from }) => from < (acquired?.at ?? ''))).toBe(true)

    await plain.insertIfNotExists('jobs/b', 'w2', 'v', 600)
    await until(async () => (await history('jobs/b')).events.length === 1)
    mayHarm()
    proxy.refuse()
    const cutAt = new Date().toISOString()
    const second = await until(async () => {
      const owner = await recorderNow()
      return owner !== first && owner
    })
    expect(second).not.toBe(first)
    await until(async () => ((await history('jobs/b')).recordedUntil ?? '') > cutAt)
    await plain.deleteIfOwner('jobs/b', 'w2')
    await plain.insertIfNotExists('jobs/b', 'w3', 'v', 600)
    const after = await until(async () => {
      const found = await history('jobs/b')
      return found.events[0]?.owner === 'w3' && found
    })
    const owners = after.events.map(({ owner, kind }) => `${kind} ${owner}`)
    expect(new Set(owners).size).toBe(owners.length)
    expect(owners.filter((event) => event.startsWith('acquired w2'))).toHaveLength(1)
    const gap = unrecorded(after).filter(({ to }) => to > cutAt)
    expect(gap).toMatchObject([{ what: 'everything', why: 'no-recorder' }])
    expect(gap[0]?.from && gap[0].from <= cutAt).toBe(true)
  } finally {
    await session.close()
  }
})

it('a lease that the recorder’s own console renews has its renewals by the minute and the hour', async () => {
  const found = await until(async () => {
    const page = await history(recorderLease)
    return page.renewals.length > 0 && page
  })
  expect(found.renewals[0]).toMatchObject({ source: 'observed', exact: null, leastMarginMs: null })
  const byHour = await history(recorderLease, '?renewals=hour')
  const sum = (page: LeaseHistory) => page.renewals.reduce((count, each) => count + each.count, 0)
  expect(sum(byHour)).toBeGreaterThanOrEqual(sum(found))
  expect((await history(recorderLease, '?renewals=none')).renewals).toEqual([])
})

it('a kill is noted with the person and the reason, once; a program does not learn of them', async () => {
  const { body: lock } = await two.api('PUT', '/v1/locks/jobs%2Fkilled', { owner: 'w9', ttlSeconds: 600 })
  await until(async () => (await history('jobs/killed')).events.length === 1)
  const { body: plan } = await two.api('POST', '/v1/leases/jobs%2Fkilled/release-plan', {})
  const act = { plan: plan.plan, mode: 'kill', reason: 'INC-1', confirmName: 'jobs/killed' }
  const answer = two.api('POST', '/v1/leases/jobs%2Fkilled/release', act)
  expect((await settledRelease(two, answer)).body.outcome).toBe('released')
  const found = await until(async () => {
    const page = await history('jobs/killed')
    return page.events[0]?.kind === 'killed' && page
  })
  await pause(6_000)
  expect(brief(await history('jobs/killed'))).toEqual(['killed w9 console', 'acquired w9 observed'])
  expect(found.events[0]?.release).toEqual({ id: plan.plan, mode: 'kill', by: 'admin', reason: 'INC-1' })
  expect(lock.owner).toBe('w9')
  const token = await two.api('POST', '/v1/tokens', { name: 'reader', role: 'viewer', prefixes: ['jobs/'] })
  const headers = { authorization: `Bearer ${token.body.secret ?? token.body.token}`, cookie: '' }
  const seen = await two.api('GET', '/v1/leases/jobs%2Fkilled/events', undefined, headers)
  expect(seen.status).toBe(200)
  expect(seen.body.events[0]).toMatchObject({ kind: 'killed', release: null, reason: null })
  expect((await two.api('GET', '/v1/leases/other/events', undefined, headers)).status).toBe(403)
})

it('pages follow each other, and a cursor of another list is refused', async () => {
  const all = await history('jobs/b')
  const from: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: LeaseHistory = await history('jobs/b', `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
    from.push(...page.events.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(new Set(from).size).toBeGreaterThanOrEqual(
    all.events.filter(({ id }) => !id.startsWith('ended-')).length,
  )
  expect((await two.api('GET', '/v1/leases/jobs%2Fb/events?cursor=x')).status).toBe(400)
  expect((await two.api('GET', '/v1/leases/jobs%2Fb/events?table=none')).status).toBe(400)
})
