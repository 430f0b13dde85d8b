/** A wall clock that is set back: what is over by the monotonic clock, which never counts too much, is over. */
import { expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { Leases } from '../index.ts'
import { openForMs } from '../open-tries.ts'

it('the search for a lost try ends after 90 s, although the wall clock was set back by an hour', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  let lost = false
  store.fault = (kind) => {
    if (kind !== 'acquire' || lost) return undefined
    lost = true
    return { kind: 'lost', applied: false, finality: 'never' }
  }
  const lease = await clock.run(leases.acquire('job', { waitMs: 10_000 }))
  clock.suspend(-3_600_000)
  await clock.advance(openForMs + 5_000)
  let reads = 0
  const read = store.read.bind(store)
  store.read = (name) => {
    reads++
    return read(name)
  }
  await clock.advance(600_000)
  expect(lease.held).toBe(true)
  // SERIAL reads of the row that this process holds itself, and renews.
  expect(reads).toBe(0)
})
