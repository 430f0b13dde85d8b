/** A stream while Cassandra does not answer: it lives on, says since when, and its rows keep the times of their reads. */
import { FaultProxy } from 'leasehold/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { harmless } from '../../../leasehold/test/patient-sessions.ts'
import { StandStills } from '../../../leasehold/test/standing-still.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { emptiedKeyspace } from '../../test/test-keyspace.ts'
import { type SomeEvent, TestStream } from '../test-stream.ts'

const contactPoint = (process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '').split(':') as [string, string]
let proxy: FaultProxy
let console: TestConsole
let stream: TestStream
const stills = new StandStills()

beforeAll(async () => {
  proxy = await FaultProxy.listen(contactPoint[0], Number(contactPoint[1]))
  const keyspace = await emptiedKeyspace()
  const end = harmless(proxy.contactPoint)
  console = await testConsole(keyspace, { CASSANDRA_CONTACT_POINTS: proxy.contactPoint })
  await console.api('PUT', '/v1/locks/kept', { ttlSeconds: 600 })
  end()
})
afterAll(async () => {
  await stream?.close()
  console?.context.close()
  await console?.context.session.close()
  await proxy?.close()
})

type Beat = Extract<SomeEvent, { event: 'heartbeat' }>
const beats = () => stream.events.filter((each): each is Beat => each.event === 'heartbeat')
const lastBeat = () => beats().at(-1)?.data
const readsOfKept = () =>
  stream.events.flatMap(({ event, data }) =>
    event === 'snapshot' || event === 'changes' ? data.rows.map(({ read }) => Date.parse(read.at)) : [],
  )
const lastCounts = () =>
  stream.events
    .flatMap(({ event, data }) => (event === 'snapshot' || event === 'changes' ? [data.counts] : []))
    .findLast((counts) => counts !== undefined)?.byState

it.each([
  ['cannot be reached', () => proxy.refuse()],
  ['accepts and never answers', () => proxy.holdAnswers()],
])('while Cassandra %s', async (_how, breakIt) => {
  // At the end of an outage the driver replaces its hosts, and has no connection for some 50 ms after its first reads:
  // the answer is 503.
  const open = () => TestStream.open(console.context, {}, { cookie: console.cookie })
  stream = await vi.waitFor(open, { timeout: 30_000 })
  await expect.poll(() => readsOfKept().length).toBeGreaterThan(2)
  await expect.poll(() => lastBeat()?.store.kind).toBe('good')
  const [brokenMs, brokenAtMs] = [performance.now(), Date.now()]
  breakIt()
  await expect.poll(() => lastBeat()?.store.kind).toBe('lost')
  // 5 s on an idle machine, and less than a write waits for its answer: 20 s.
  expect(stills.ranSince(brokenMs)).toBeLessThan(15_000)
  const store = lastBeat()?.store
  if (store?.kind !== 'lost') throw new Error('it was found again')
  const before = beats().length
  await expect.poll(() => beats().length).toBeGreaterThan(before + 1)
  const newestMs = Math.max(...readsOfKept())
  // A busy machine looks later at an answer from before the break, and a read may have failed before it.
  expect(newestMs).toBeLessThanOrEqual(Date.parse(store.since))
  // More than 1.5 s without an answer have passed before it is lost.
  expect(newestMs).toBeLessThanOrEqual(brokenAtMs + 1_500 + stills.since(brokenMs))
  proxy.cut()
  proxy.restore()
  await expect.poll(() => lastBeat()?.store.kind).toBe('good')
  await expect.poll(() => Math.max(...readsOfKept())).toBeGreaterThan(Date.parse(store.since))
  expect(stream.events.filter(({ event }) => event === 'snapshot')).toHaveLength(1)
  await stream.close()
})

it('the counts are of the last reads, as the rows are: a lease came at risk in them while it was drawn held', async () => {
  const ttlSeconds = 36
  // An owner of the library's: without a renewal its lease is at risk from 24 s on. The answers are held long before.
  const owner = 'host:1:0123456789ab:1'
  stream = await vi.waitFor(() => TestStream.open(console.context, {}, { cookie: console.cookie }), {
    timeout: 30_000,
  })
  const { body } = await console.api('PUT', '/v1/locks/rhythm', { owner, ttlSeconds })
  await expect.poll(() => lastCounts()).toEqual({ held: 2 })
  proxy.holdAnswers()
  await expect.poll(() => lastBeat()?.store.kind).toBe('lost')
  const riskMs = Date.parse(body.expiresAt) - (ttlSeconds * 1000) / 3
  await expect.poll(() => Date.parse(lastBeat()?.now ?? '') > riskMs + 500).toBe(true)
  expect(lastCounts()).toEqual({ held: 2 })
  proxy.cut()
  proxy.restore()
  await expect.poll(() => lastBeat()?.store.kind).toBe('good')
  await stream.close()
})
