/**
 * The queues of fair locks, kept by a server.
 *
 * Guarantees: those of `TicketStore`. Waiters that use the server stand in one queue with those that use the server's
 * table of leases through CQL.
 * Assumes: a clock that is less than a minute ahead of the server's; the server refuses tickets from further ahead.
 */

import type { Ticket, TicketStore } from '../lease/index.ts'
import { InvalidArgumentError, isLeaseholdError, StoreUnavailableError } from '../lease/index.ts'
import { asFields, bigintOf, textOf } from './json.ts'
import type { LeaseholdServer, ServerRequest } from './server.ts'

/**
 * A ticket lives for 6 s: a later answer is worth nothing. Its waiter writes it again every 1.5 s and waits for no answer, so that four
 * writes of one ticket at most are under way.
 */
const writeTimeoutMs = 5_000
const readTimeoutMs = 10_000
/** The server's limits: tickets in one answer, and the TTL of a ticket. */
const maxTickets = 100
const maxTtlSeconds = 6

export interface HttpTicketStoreOptions {
  /** The id of a table in the server's configuration, as for `HttpLeaseStore`; left out: the server's own table. */
  table?: string | undefined
}

/**
 * @example
 * const server = new LeaseholdServer({ url: 'http://localhost:3000', token })
 * const leases = new Leases({ store: new HttpLeaseStore(server), tickets: new HttpTicketStore(server) })
 * await using lease = await leases.acquire('billing/invoice-run', { fair: true })
 */
export class HttpTicketStore implements TicketStore {
  readonly #server: LeaseholdServer
  readonly #table: string | undefined

  constructor(server: LeaseholdServer, { table }: HttpTicketStoreOptions = {}) {
    this.#server = server
    this.#table = table
  }

  async put({ name, number, owner }: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void> {
    if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > maxTtlSeconds)
      throw new InvalidArgumentError(
        `ttlSeconds is ${ttlSeconds}; a whole number from 1 to ${maxTtlSeconds} is expected.`,
      )
    await this.#write({
      method: 'PUT',
      path: ['queues', name, 'tickets', owner],
      query: { table: this.#table },
      body: { number: number.toString(), at: atMicros.toString(), ttlSeconds },
      timeoutMs: writeTimeoutMs,
    })
  }

  async remove({ name, number, owner }: Ticket, atMicros: bigint): Promise<void> {
    await this.#write({
      method: 'DELETE',
      path: ['queues', name, 'tickets', owner],
      query: { number: number.toString(), at: atMicros.toString(), table: this.#table },
      timeoutMs: writeTimeoutMs,
    })
  }

  async first(name: string, from: bigint, limit: number): Promise<Ticket[]> {
    const answer = await this.#server.ask({
      method: 'GET',
      path: ['queues', name],
      query: { from: from.toString(), limit: String(Math.min(limit, maxTickets)), table: this.#table },
      timeoutMs: readTimeoutMs,
    })
    if (answer.status !== 200) throw this.#server.refusal('GET', answer)
    const { tickets } = answer.body
    if (!Array.isArray(tickets))
      throw new StoreUnavailableError(
        'The server answered with something other than a queue. Check that the URL is that of a Leasehold server.',
      )
    return tickets.map((ticket) => ticketIn(name, ticket))
  }

  /** After a lost answer the ticket may have been written or not; `TicketStore` calls that unavailable. */
  async #write(request: ServerRequest): Promise<void> {
    try {
      const answer = await this.#server.ask(request)
      if (answer.status === 204) return
      // A ticket that was written all the same expires within seconds: at a wrong URL a clear error is worth more.
      const asOfARead = this.#server.refusal('GET', answer)
      throw isLeaseholdError(asOfARead, 'store-refused')
        ? asOfARead
        : this.#server.refusal(request.method, answer)
    } catch (thrown) {
      if (!isLeaseholdError(thrown, 'statement-unknown')) throw thrown
      throw new StoreUnavailableError(thrown.message, { mayHaveHappened: true, cause: thrown })
    }
  }
}

function ticketIn(name: string, from: unknown): Ticket {
  const json = asFields(from)
  const [number, owner] = [bigintOf(json.number), textOf(json.owner)]
  if (number === null || owner === null)
    throw new StoreUnavailableError(
      'The server answered with something other than a ticket. Check that the URL is that of a Leasehold server.',
    )
  return { name, number, owner }
}
