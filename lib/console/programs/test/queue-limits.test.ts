import { Leases } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { ticketBodySchema } from '../../../contract/programs/queue.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { QueueServices } from '../lock-services.ts'
import { keepTicket, removeTicket } from '../queueing.ts'

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

describe('of a name that is released by two people', () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const tickets = new MemoryTicketStore(clock)
  const table = { id: 'leases', mapping: { table: 'leases' }, tickets } as unknown as LeaseTable
  const services = {
    clock,
    config: { secondPersonFor: ['payments/'] },
    session: { keyspace: 'leasehold' },
  } as unknown as QueueServices
  const person = { username: 'ann', role: 'operator', via: 'password' } as Session
  const program = {
    username: 'payer',
    role: 'client',
    via: 'token',
    scope: { role: 'client', prefixes: [''], tables: ['leases'] },
  } as unknown as Session
  const ticketOf = (name: string) => ({ name, number: 0n, owner: 'first' })
  const put = (session: Session, name: string) =>
    clock.run(keepTicket(services, session, table, ticketOf(name), { ttlSeconds: 6, atMicros: 1n }))
  const remove = (session: Session, name: string) =>
    clock.run(removeTicket(services, session, table, ticketOf(name), 2n))

  it('a person’s tickets kept its programs out without an entry in the audit log', async () => {
    await expect(put(person, 'payments/nightly')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await clock.run(tickets.first('payments/nightly', 0n, 10))).toEqual([])
  })

  it('a person removed its programs’ tickets', async () => {
    await put(program, 'payments/nightly')
    await expect(remove(person, 'payments/nightly')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await clock.run(tickets.first('payments/nightly', 0n, 10))).toHaveLength(1)
    await remove(program, 'payments/nightly')
    expect(await clock.run(tickets.first('payments/nightly', 0n, 10))).toEqual([])
  })

  it('other names are as they were', async () => {
    await put(person, 'reports/nightly')
    expect(await clock.run(tickets.first('reports/nightly', 0n, 10))).toHaveLength(1)
    await remove(person, 'reports/nightly')
  })
})
