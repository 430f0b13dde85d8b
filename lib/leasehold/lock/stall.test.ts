/** A process that stood still: no timer has fired, and its lock is gone. */
import { expect, it } from 'vitest'
import { isLeaseholdError, Leases } from '../lease/index.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { Locks } from './index.ts'

it('the work of withLock sees the loss at once, by whatever it asks', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  const store = new MemoryLeaseStore(clock)
  const leases = new Leases({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  const seen: Record<string, unknown> = {}
  const losing = new Locks(leases).withLock('job', { ttlSeconds: 6 }, async (lease) => {
    expect([lease.held, lease.signal.aborted]).toEqual([true, false])
    // Time passes, and no timer gets its turn.
    const before = clock.now()
    clock.now = () => ({ monotonicMs: before.monotonicMs + 7_000, wallMs: before.wallMs + 7_000 })
    seen.aborted = lease.signal.aborted
    seen.held = lease.held
    try {
      lease.throwIfLost()
    } catch (thrown) {
      seen.thrown = isLeaseholdError(thrown, 'lease-lost') && thrown.reason
    }
    return 'too late'
  })
  await expect(losing).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
  expect(seen).toEqual({ aborted: true, held: false, thrown: 'deadline' })
})
