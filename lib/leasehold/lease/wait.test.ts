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
