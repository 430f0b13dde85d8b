import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { ObservedStore } from './reading/observed-store.ts'
import { Watch } from './watch.ts'

it('a tick that fails is logged, and the next ones go on', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  const store = new MemoryLeaseStore(clock)
  const observed = new ObservedStore(store, clock)
  const leases = new LeaseProtocol({ store: observed, clock, timer: clock, maxClockSkewMs: 100 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, readOnly: false, leases } as unknown as LeaseTable
  const closing = new AbortController()
  const watch = new Watch({
    tables: new Map([['leases', table]]),
    clock,
    timer: clock,
    log,
    closing: closing.signal,
  })
  observed.observedBy(watch.observer('leases'))
  const logged = vi.spyOn(log, 'error').mockReturnValue()
  await store.acquire({ name: 'job', owner: 'a', value: null, ttlSeconds: 20 })
  watch.begin()
  await clock.advance(1_000)
  const prune = vi.spyOn(watch.table('leases'), 'prune').mockImplementationOnce(() => {
    throw new Error('a mistake')
  })
  await clock.advance(1_000)
  expect(logged.mock.calls).toEqual([
    [{ error: expect.objectContaining({ message: 'a mistake' }) }, 'a tick of the watch failed'],
  ])
  expect(prune.mock.calls.length).toBeGreaterThan(5)
  closing.abort()
})
