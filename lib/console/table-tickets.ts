import type { Ticket, TicketStore } from 'leasehold/lease'

/**
 * The queues of one table of leases. All tables share one table of tickets, so that the names of every table but
 * `leases` stand there behind the table's id and a separator, which no name contains.
 */
export function ticketsOf(tableId: string, shared: TicketStore): TicketStore {
  if (tableId === 'leases') return shared
  const keyOf = (name: string) => `${tableId}\u001f${name}`
  const stored = (ticket: Ticket): Ticket => ({ ...ticket, name: keyOf(ticket.name) })
  return {
    put: (ticket, ttlSeconds, atMicros) => shared.put(stored(ticket), ttlSeconds, atMicros),
    remove: (ticket, atMicros) => shared.remove(stored(ticket), atMicros),
    first: async (name, from, limit) => {
      const found = await shared.first(keyOf(name), from, limit)
      return found.map(({ number, owner }) => ({ name, number, owner }))
    },
  }
}
