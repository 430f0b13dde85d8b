import { FakeClock, MemoryTicketStore, ticketContract } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import { ticketsOf } from './table-tickets.ts'

describe('the tickets of a mapped table keep the contract', () => {
  for (const { title, run } of ticketContract)
    it(title, () => {
      const clock = new FakeClock()
      const store = ticketsOf('jobs', new MemoryTicketStore(clock))
      return run({ store, name: 'job', wait: (ms) => clock.advance(ms) })
    })
})

it('each table has queues of its own, and the console’s own table shares them with clients that speak CQL', async () => {
  const shared = new MemoryTicketStore(new FakeClock())
  const [own, jobs, others] = ['leases', 'jobs', 'job'].map((id) => ticketsOf(id, shared))
  const ticket = { name: 'x', number: 1n, owner: 'o' }
  await own?.put(ticket, 6, 1n)
  await jobs?.put({ ...ticket, number: 2n }, 6, 2n)
  expect(await shared.first('x', 0n, 5)).toEqual([ticket])
  expect(await jobs?.first('x', 0n, 5)).toEqual([{ ...ticket, number: 2n }])
  // Neither the id nor the name can be chosen such that two queues become one.
  expect(await others?.first('sx', 0n, 5)).toEqual([])
  await own?.remove({ ...ticket, number: 2n }, 3n)
  expect(await jobs?.first('x', 0n, 5)).toHaveLength(1)
})
