import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from '../../../testing/index.ts'
import { Leases } from '../../index.ts'

/** A ticket that its client keeps, and with which it never tries. */
const idle = { name: 'job', number: 1n, owner: 'idle' }

let clock: FakeClock
let tickets: MemoryTicketStore
let leases: Leases
beforeEach(async () => {
  clock = new FakeClock()
  tickets = new MemoryTicketStore(clock)
  const store = new MemoryLeaseStore(clock)
  leases = new Leases({ store, tickets, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
  await tickets.put(idle, 60, 1n)
})

const behindQueue = {
  code: 'lease-held',
  holder: null,
  message:
    'The lease "job" was not acquired: other waiters stood before this one in the queue, and no owner held the lease when the wait ended. Wait for longer. If the queue does not move, look for a client that keeps its ticket and does not try.',
}

it('a waiter that was kept from a free lease learns of the queue, and of no owner', async () => {
  await expect(clock.run(leases.acquire('job', { fair: true, waitMs: 5_000 }))).rejects.toMatchObject(
    behindQueue,
  )
})

it('a call that does not wait says the same', async () => {
  await expect(clock.run(leases.acquire('job', { fair: true, waitMs: 0 }))).rejects.toMatchObject(behindQueue)
  expect(await clock.run(leases.tryAcquire('job', { fair: true }))).toEqual({
    kind: 'held',
    owner: null,
    behindQueue: true,
  })
})

it('a waiter behind a queue names the owner, where there is one', async () => {
  await clock.run(leases.protocol.tryAcquire('job', { owner: 'rival', ttlSeconds: 600 }))
  const waiting = leases.acquire('job', { fair: true, waitMs: 5_000 })
  await expect(clock.run(waiting)).rejects.toMatchObject({
    holder: 'rival',
    message: 'The lease "job" is held by rival.',
  })
})

it('a waiter that refreshes its ticket keeps its place, and no longer than that', async () => {
  const waiting = leases.acquire('job', { fair: true, waitMs: 90_000 })
  await clock.advance(59_000)
  await tickets.put(idle, 6, 2n)
  const refreshedAtMs = clock.now().monotonicMs
  const lease = await clock.run(waiting)
  expect(clock.now().monotonicMs - refreshedAtMs).toBeGreaterThan(4_000)
  expect(clock.now().monotonicMs - refreshedAtMs).toBeLessThan(7_500)
  await clock.run(lease.release())
})
