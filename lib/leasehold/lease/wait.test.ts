import { expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { Leases } from './index.ts'

it('waits for ever when told so: through a holder that renews for an hour', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const make = () =>
    new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const [holder, waiter] = [make(), make()]
  const held = await clock.run(holder.acquire('job'))
  let acquired = false
  const waiting = waiter.acquire('job', { waitMs: Number.POSITIVE_INFINITY }).then((lease) => {
    acquired = true
    return lease
  })
  await clock.advance(3_600_000)
  expect(acquired).toBe(false)
  await clock.run(held.release())
  await clock.advance(200)
  expect(acquired).toBe(true)
  await clock.run((await waiting).release())
})

it('goes on waiting through answers that are lost and a store that is away, and is not in its own way', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const options = { store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100, settleMs: 1_000 }
  const leases = new Leases({ ...options, defaultTtlSeconds: 60 })
  let acquisitions = 0
  // The first try takes effect, and neither its answer nor any read tells; then nobody answers; then all is well.
  store.fault = (kind) => {
    if (kind === 'acquire' && ++acquisitions === 1) return { kind: 'lost', applied: true, finality: 'never' }
    return clock.now().monotonicMs < until ? { kind: 'unavailable' } : undefined
  }
  const until = clock.now().monotonicMs + 8_000
  const started = clock.now().monotonicMs
  const lease = await clock.run(leases.acquire('job', { waitMs: 30_000 }))
  expect(lease.held).toBe(true)
  // The ghost of the first try would have held it for a minute.
  expect(clock.now().monotonicMs - started).toBeLessThan(12_000)
  await clock.run(lease.release())
})

it('says what was wrong when the time is over', async () => {
  const clock = new FakeClock()
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, maxClockSkewMs: 100 })
  store.fault = () => ({ kind: 'unavailable' })
  const started = clock.now().monotonicMs
  await expect(clock.run(leases.acquire('job', { waitMs: 5_000 }))).rejects.toMatchObject({
    code: 'store-unavailable',
  })
  expect(clock.now().monotonicMs - started).toBeGreaterThan(4_900)
})
