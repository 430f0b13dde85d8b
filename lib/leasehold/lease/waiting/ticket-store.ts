/**
 * What a fair lock asks of a store: plain rows that disappear by themselves, in the order of their numbers. Two
 * implementations pass the same contract (`testing/ticket-contract.ts`): Cassandra, and one in memory.
 *
 * Tickets decide who may try, never who holds: losing one, or reading a stale queue, costs order and nothing else.
 * So the writes are plain. Each may throw `StoreUnavailableError`, after which it may have been done or not, now or
 * later; done twice, it does the same.
 */
export interface TicketStore {
  /**
   * Writes a ticket, or writes it anew, for `ttlSeconds`. A removal with a greater `atMicros` wins, in whichever
   * order the two arrive: a refresh that was held back does not bring a removed ticket back.
   */
  put(ticket: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void>
  /** Removes it, for good if `atMicros` is greater than that of every `put`. */
  remove(ticket: Ticket, atMicros: bigint): Promise<void>
  /** The first `limit` tickets of a name with numbers from `from` on, in order (`beforeTicket`). */
  first(name: string, from: bigint, limit: number): Promise<Ticket[]>
}

/** A place in the queue of one name. Never used again once it was removed. */
export interface Ticket {
  readonly name: string
  /** When it was made, by its maker's clock, in microseconds since the epoch. */
  readonly number: bigint
  /** Its maker, unique to this ticket: decides between equal numbers, and tells people who waits. */
  readonly owner: string
}

/** How a queue is ordered: by number, and among equal numbers by the UTF-8 bytes of the owner, as Cassandra does. */
export const beforeTicket = (one: Ticket, other: Ticket): boolean =>
  one.number === other.number
    ? Buffer.compare(Buffer.from(one.owner), Buffer.from(other.owner)) < 0
    : one.number < other.number
