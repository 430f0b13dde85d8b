/**
 * What a fair lock needs of a store: plain rows that expire, in the order of their numbers. The stores in Cassandra and
 * in memory pass one contract (`testing/contracts/ticket-contract.ts`).
 *
 * Tickets decide which waiter may try, never which owner holds the lease: a lost ticket or a stale queue costs order,
 * never exclusion. So the writes are plain. One that throws `StoreUnavailableError` may have been applied or not, or
 * may be applied later; applied twice, it has the same effect.
 */
export interface TicketStore {
  /**
   * Writes a ticket, or refreshes it, for `ttlSeconds`. A removal with a greater `atMicros` wins, in whichever order
   * the two arrive: a refresh that was held back does not restore a removed ticket.
   */
  put(ticket: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void>
  /** Removes a ticket, for good if `atMicros` is greater than that of every `put`. */
  remove(ticket: Ticket, atMicros: bigint): Promise<void>
  /** The first `limit` tickets of a name with numbers from `from` on, in order (`beforeTicket`). */
  first(name: string, from: bigint, limit: number): Promise<Ticket[]>
}

/** A place in the queue of one name. A removed ticket is never used again. */
export interface Ticket {
  readonly name: string
  /** When the waiter made it, by the waiter's clock, in microseconds since the epoch. */
  readonly number: bigint
  /** The waiter's id, unique to this ticket: it orders equal numbers, and shows people which process waits. */
  readonly owner: string
}

/** The order of a queue: by number, and among equal numbers by the UTF-8 bytes of the owner, as in Cassandra. */
export const beforeTicket = (one: Ticket, other: Ticket): boolean =>
  one.number === other.number
    ? Buffer.compare(Buffer.from(one.owner), Buffer.from(other.owner)) < 0
    : one.number < other.number
