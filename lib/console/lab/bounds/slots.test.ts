/** Slots.tellWatched: "Tells the instance that runs it that it has viewers here, until it has none." */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { Slots } from './slots.ts'

const setUp = () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const store = new MemoryLeaseStore(clock)
  const instance = () =>
    new Slots(new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 }))
  return { clock, store, instance }
}

it('two instances have viewers: the run is watched until the last of them has none', async () => {
  const { clock, instance } = setUp()
  const [runs, first, second] = [instance(), instance(), instance()]
  first.tellWatched('r1', true)
  await clock.advance(1_000)
  second.tellWatched('r1', true)
  await clock.advance(1_000)
  first.tellWatched('r1', false)
  await clock.advance(60_000)
  expect(await clock.run(runs.isWatchedElsewhere('r1'))).toBe(true)
})

it('a viewer who came while Cassandra was away for a moment is counted once it is back', async () => {
  const { clock, store, instance } = setUp()
  const [runs, other] = [instance(), instance()]
  store.fault = () => ({ kind: 'unavailable' })
  other.tellWatched('r1', true)
  await clock.advance(3_000)
  store.fault = () => undefined
  await clock.advance(60_000)
  expect(await clock.run(runs.isWatchedElsewhere('r1'))).toBe(true)
})
