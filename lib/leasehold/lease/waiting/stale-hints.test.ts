/** A replica that is behind: its hints cost little, and hide a release for a few seconds at most. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, type StatementKind } from '../../testing/index.ts'
import { Leases } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let sent: Partial<Record<StatementKind, number>>
const make = () =>
  new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 60 })

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  sent = {}
  store.fault = (kind) => {
    sent[kind] = (sent[kind] ?? 0) + 1
    return undefined
  }
})

it.each([
  ['no row', null],
  ['a row without an owner', { owner: null, value: null }],
  ['an earlier owner', { owner: 'gone long ago', value: null }],
])('that shows %s for ever', async (_shows, hint) => {
  const held = await clock.run(make().acquire('job'))
  store.hint = async () => hint
  sent = {}
  const waiting = make().acquire('job')
  await clock.advance(60_000)
  // The first try, a try or none for the first hint, and the reads of the expiry and of every ten seconds.
  expect(sent.acquire).toBeLessThanOrEqual(3)
  expect(sent.read).toBeLessThanOrEqual(15)
  await clock.run(held.release())
  const releasedAtMs = clock.now().monotonicMs
  const next = await clock.run(waiting)
  expect(next.held).toBe(true)
  expect(clock.now().monotonicMs - releasedAtMs).toBeLessThanOrEqual(11_000)
  await clock.run(next.release())
})

it('that still shows the owner that has released', async () => {
  const held = await clock.run(make().acquire('job'))
  const hint = await store.hint('job')
  store.hint = async () => hint
  const waiting = make().acquire('job')
  await clock.advance(5_000)
  await clock.run(held.release())
  const releasedAtMs = clock.now().monotonicMs
  await clock.run((await clock.run(waiting)).release())
  expect(clock.now().monotonicMs - releasedAtMs).toBeLessThanOrEqual(11_000)
})
