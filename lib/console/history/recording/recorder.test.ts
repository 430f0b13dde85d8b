/** Instances that share a store and its history, in fake time: one records, and another takes over. */
import { StoreRefusedError } from 'leasehold/lease'
import { beforeEach, expect, it } from 'vitest'
import { notObserved } from '../reading/not-observed.ts'
import { brief, setUp } from './test-instances.ts'

type World = ReturnType<typeof setUp>

const startMs = Date.UTC(2026, 0, 1, 12) + 250
let clock: World['clock']
let store: World['store']
let events: World['events']
let recordings: World['recordings']
let workers: World['workers']
let instance: World['instance']
let acquire: World['acquire']
let history: World['history']
let gaps: World['gaps']

beforeEach(() => {
  ;({ clock, store, events, recordings, workers, instance, acquire, history, gaps } = setUp(startMs))
})

it('one of three instances records: each transition is one row', async () => {
  const all = [instance(), instance(), instance()]
  await clock.advance(5_000)
  const tenure = await acquire('a')
  await clock.advance(5_000)
  await clock.run(workers.release(tenure))
  await clock.advance(5_000)
  await acquire('b', 10)
  await clock.advance(20_000)
  expect((await history()).events.map(brief)).toEqual(['expired b', 'acquired b', 'released a', 'acquired a'])
  expect(events.writes).toBeLessThan(10)
  for (const { closing } of all) closing.abort()
})

it('of a lease that it passes over nothing is written, be it there before the recorder or not', async () => {
  const job = { owner: 'a', ttlSeconds: 60 }
  await clock.run(workers.tryAcquire('passed-over/1', job))
  const first = instance()
  await clock.advance(5_000)
  const outcome = await clock.run(workers.tryAcquire('passed-over/2', job))
  await acquire('a', 60)
  for (let count = 0; outcome.kind === 'acquired' && count < 3; count++) {
    await clock.advance(5_000)
    const renewed = await clock.run(workers.renew(outcome.tenure))
    if (renewed.kind === 'renewed') Object.assign(outcome, { tenure: renewed.tenure })
  }
  first.closing.abort()
  const second = instance()
  await clock.advance(130_000)
  for (const name of ['passed-over/1', 'passed-over/2']) {
    const { events: written, renewals } = await history(name)
    expect([written, renewals]).toEqual([[], []])
  }
  expect((await history()).events.map(brief)).toEqual(['expired a', 'acquired a'])
  second.closing.abort()
})

it('renewals are one row a minute, however many there are', async () => {
  instance()
  await clock.advance(5_000)
  let tenure = await acquire('a')
  for (let count = 0; count < 60; count++) {
    await clock.advance(3_000)
    const outcome = await clock.run(workers.renew(tenure))
    if (outcome.kind === 'renewed') tenure = outcome.tenure
  }
  await clock.advance(60_000)
  const { renewals } = await history()
  expect(renewals.length).toBeLessThanOrEqual(4)
  expect(renewals.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(50)
})

it('when the recorder dies another one takes over: the gap is said, and nothing is there twice', async () => {
  const first = instance()
  await clock.advance(10_000)
  const second = instance()
  const tenure = await acquire('a', 60)
  await clock.advance(10_000)
  first.isCutOff = true
  const diedMs = clock.now().wallMs
  await clock.advance(4_000)
  await clock.run(workers.release(tenure))
  await acquire('b', 600)
  await clock.advance(40_000)
  const names = (await history()).events.map(brief)
  // How the tenure of `a` ended was not seen by a recorder. That `b` came, the second one's watch knew.
  expect(names).toEqual(['acquired b', 'ended-unknown a', 'acquired a'])
  const gap = (await gaps()).filter(({ fromMs }) => fromMs > startMs + 5_000)
  expect(gap).toHaveLength(1)
  expect(gap[0]).toMatchObject({ why: 'no-recorder', what: 'everything' })
  expect(gap[0]?.fromMs).toBeLessThanOrEqual(diedMs)
  // Its lease lives for 15 s, and a beat is 5 s.
  expect(gap[0]?.toMs).toBeLessThan(diedMs + 21_000)
  // The first one comes back, and is not the recorder any more.
  first.isCutOff = false
  await clock.advance(10_000)
  await clock.run(
    workers.release((await workers.tryAcquire('other', { owner: 'c' })) as never).catch(() => {}),
  )
  await clock.advance(10_000)
  expect((await history()).events.map(brief)).toEqual(names)
  for (const each of [first, second]) each.closing.abort()
})

it('a recorder that ends gives the lease up at once, with what it counted', async () => {
  const first = instance()
  const second = instance()
  await clock.advance(5_000)
  await acquire('a', 60)
  await clock.advance(5_000)
  first.closing.abort()
  await clock.advance(8_000)
  await clock.run(workers.tryAcquire('later', { owner: 'c', ttlSeconds: 60 }))
  await clock.advance(8_000)
  expect((await history('later')).events.map(brief)).toEqual(['acquired c'])
  for (const { fromMs, toMs } of (await gaps()).filter((gap) => gap.fromMs > startMs + 5_000))
    expect(toMs - fromMs).toBeLessThan(10_000)
  second.closing.abort()
})

it('while the history cannot be written, events wait, and the stretch does not pass them', async () => {
  const { closing } = instance()
  await clock.advance(10_000)
  events.fault = () => 'unavailable'
  await acquire('a', 60)
  await clock.advance(20_000)
  const [stretch] = await recordings.between()
  expect(stretch?.untilMs).toBeLessThan(startMs + 15_000)
  events.fault = () => undefined
  await clock.advance(15_000)
  expect((await history()).events.map(brief)).toEqual(['acquired a'])
  expect((await recordings.between())[0]?.untilMs).toBeGreaterThan(startMs + 35_000)
  closing.abort()
})

it('what the recorder may not hold is dropped, and said', async () => {
  const { closing } = instance(20)
  await clock.advance(10_000)
  events.fault = () => 'unavailable'
  for (let count = 0; count < 50; count++) store.plain.insertIfNotExists(`many/${count}`, 'a', null, 600)
  await clock.advance(10_000)
  events.fault = () => undefined
  await clock.advance(30_000)
  expect(await gaps()).toContainEqual(expect.objectContaining({ why: 'dropped', what: 'everything' }))
  closing.abort()
})

it('passes over a name that is longer than any request may have', async () => {
  const name = 'x'.repeat(513)
  instance()
  await clock.advance(5_000)
  await store.acquire({ name, owner: 'plain', value: null, ttlSeconds: 4 })
  await clock.advance(20_000)
  expect((await history(name)).events).toEqual([])
})

it('events that Cassandra refuses are a gap in what was observed', async () => {
  instance()
  await clock.advance(20_000)
  const write = events.write.bind(events)
  events.write = async () => {
    throw new StoreRefusedError('The role has no MODIFY permission on lease_events.')
  }
  const fromMs = clock.now().wallMs
  const tenure = await acquire('a', 60)
  await clock.advance(15_000)
  await clock.run(workers.release(tenure))
  await clock.advance(15_000)
  events.write = write
  const toMs = clock.now().wallMs
  await clock.advance(60_000)
  const found = notObserved(await recordings.between(), { fromMs, toMs }, clock.now().wallMs)
  expect(found.map(({ what, why }) => `${what} ${why}`)).toEqual(['everything dropped', 'everything dropped'])
  await acquire('b', 5)
  await clock.advance(20_000)
  expect((await history()).events.map(brief)).toContain('acquired b')
})

it('renewals that Cassandra refuses are a gap in the renewals, and not in all that was observed', async () => {
  instance()
  await clock.advance(5_000)
  let tenure = await acquire('a')
  const writeRenewals = events.writeRenewals.bind(events)
  events.writeRenewals = async () => {
    throw new StoreRefusedError('The row is too large.')
  }
  for (let i = 0; i < 12; i++) {
    await clock.advance(10_000)
    const outcome = await clock.run(workers.renew(tenure))
    if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
    tenure = outcome.tenure
  }
  events.writeRenewals = writeRenewals
  await clock.advance(10_000)
  const stretches = await recordings.between()
  expect(stretches.map(({ what, why }) => `${what} ${why}`)).toContain('renewals dropped')
  expect(stretches.map(({ what, why }) => `${what} ${why}`)).not.toContain('everything dropped')
})
