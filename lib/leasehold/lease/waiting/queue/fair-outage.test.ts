/** A fair wait that begins during an outage: its first ticket cannot be written. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../../testing/index.ts'
import { Leases } from '../../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let tickets: MemoryTicketStore
let leases: Leases
let isAway: boolean

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new MemoryLeaseStore(clock)
  tickets = new MemoryTicketStore(clock)
  leases = new Leases({ store, tickets, clock, timer: clock, random: () => 0.5, defaultTtlSeconds: 30 })
  isAway = true
  store.fault = () => (isAway ? { kind: 'unavailable' } : undefined)
  tickets.fault = () => (isAway ? { kind: 'lost', applied: false } : undefined)
})

it.each([true, false])('a wait with fair: %s acquires once a moment’s outage is over', async (fair) => {
  const waiting = leases.acquire('job', { fair, waitMs: 60_000 })
  waiting.catch(() => {})
  await clock.advance(2_000)
  isAway = false
  const lease = await clock.run(waiting)
  expect(lease.held).toBe(true)
  expect(clock.now().monotonicMs).toBeLessThan(4_000)
  await clock.run(leases.close())
})

it('a fair wait says that the store is unavailable when its time is over, and not before', async () => {
  const waiting = leases.acquire('job', { fair: true, waitMs: 10_000 })
  await expect(clock.run(waiting)).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(clock.now().monotonicMs).toBe(10_000)
})

it('a fair wait during an outage ends at once when its signal aborts', async () => {
  const stop = new AbortController()
  const waiting = leases.acquire('job', { fair: true, waitMs: 60_000, signal: stop.signal })
  waiting.catch(() => {})
  await clock.advance(2_000)
  stop.abort(new Error('stop'))
  await expect(clock.run(waiting)).rejects.toThrow('stop')
  const sent = tickets.sent.put
  await clock.advance(10_000)
  expect([clock.now().monotonicMs, tickets.sent.put]).toEqual([12_000, sent])
})
