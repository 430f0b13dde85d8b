import { Leases } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { ticketBodySchema } from '../../../contract/programs/queue.ts'

it('a ticket lives for as long as the library keeps one without a refresh, and no longer', async () => {
  const clock = new FakeClock()
  const ttls: number[] = []
  class Tickets extends MemoryTicketStore {
    override put(...sent: Parameters<MemoryTicketStore['put']>) {
      ttls.push(sent[1])
      return super.put(...sent)
    }
  }
  const tickets = new Tickets(clock)
  const leases = new Leases({ store: new MemoryLeaseStore(clock), tickets, clock, timer: clock })
  const lease = await clock.run(leases.acquire('job', { fair: true, waitMs: 1_000 }))
  await clock.run(lease.release())
  const [ttlSeconds] = ttls
  const body = (seconds = 0) => ({ number: '1', at: '1', ttlSeconds: seconds })
  expect(ticketBodySchema.safeParse(body(ttlSeconds)).success).toBe(true)
  const { error } = ticketBodySchema.safeParse(body((ttlSeconds ?? 0) + 1))
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'ttlSeconds is above 6; 1 to 6 are allowed. Write the ticket again every two seconds for as long as its waiter waits.',
  ])
})
