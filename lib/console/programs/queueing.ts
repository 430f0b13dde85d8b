/**
 * The queue for a fair lock, on behalf of a client. A token that is good for the locks of a name may write and remove
 * other clients' tickets of that name too: that costs order, and never lets two hold. A person may too, except for a name that needs a
 * second person: a ticket that is repeated keeps its programs out as an acquisition does, and would be in no log (own-lease.ts, 6).
 *
 * Does not guarantee: that a ticket's number is the time at which its waiter came. A number in the past is accepted, however old it
 * is: a waiter may wait for ever, and a refresh sends the number of the first write, which may have been lost.
 */

import type { Ticket } from 'leasehold/lease'
import type { Session } from '../../contract/people/session.ts'
import { maxTicketAheadMs } from '../../contract/programs/queue.ts'
import { routes } from '../../contract/routes.ts'
import { permit } from '../http/authorise.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { refuseReservedName } from '../leases/tables.ts'
import { needsSecondPerson } from '../releases/rules/offers.ts'
import type { QueueServices } from './lock-services.ts'
import { refuseOthersName } from './own-lease.ts'

/** @throws HttpProblem when the caller may not do this, or the ticket is too far ahead; StoreUnavailableError */
export async function keepTicket(
  services: QueueServices,
  session: Session,
  table: LeaseTable,
  ticket: Ticket,
  { ttlSeconds, atMicros }: { ttlSeconds: number; atMicros: bigint },
): Promise<void> {
  permit(routes.putTicket.permission, session, services.clock, {
    name: ticket.name,
    table: table.id,
  })
  refuseOthersName(session, ticket.owner)
  refusePeople(services, session, ticket.name)
  checkTicket(services, table, ticket, atMicros)
  await table.tickets.put(ticket, ttlSeconds, atMicros)
}

/** @throws as `keepTicket` */
export async function removeTicket(
  services: QueueServices,
  session: Session,
  table: LeaseTable,
  ticket: Ticket,
  atMicros: bigint,
): Promise<void> {
  permit(routes.deleteTicket.permission, session, services.clock, {
    name: ticket.name,
    table: table.id,
  })
  refusePeople(services, session, ticket.name)
  checkTicket(services, table, ticket, atMicros)
  await table.tickets.remove(ticket, atMicros)
}

/** @throws HttpProblem forbidden: the name needs a second person */
function refusePeople({ config }: QueueServices, { role }: Session, name: string): void {
  if (role === 'client' || !needsSecondPerson(name, config)) return
  throw new HttpProblem(
    'forbidden',
    `${name} is released by two people, so people write and remove no tickets of it: a ticket keeps its programs out, and the audit log would not say so. Acquire the lock: the audit log has that.`,
  )
}

function checkTicket(
  services: QueueServices,
  table: LeaseTable,
  { name, number }: Ticket,
  atMicros: bigint,
): void {
  refuseReservedName(services, table, name)
  const nowMicros = BigInt(Math.floor(services.clock.now().wallMs)) * 1000n
  for (const [what, micros] of [['number', number] as const, ['at', atMicros] as const]) {
    const aheadMicros = micros - nowMicros
    if (aheadMicros <= BigInt(maxTicketAheadMs) * 1000n) continue
    throw new HttpProblem(
      'bad-request',
      `${what} is ${aheadMicros / 1_000_000n} s ahead of the server's clock, and at most ${maxTicketAheadMs / 1000} s are allowed: no removal could outweigh such a ticket. It is in microseconds since the epoch; check the clock that made it.`,
    )
  }
}
