import type { Ticket, TicketStore } from '../lease/index.ts'
import { InvalidArgumentError, StoreRefusedError } from '../lease/index.ts'
import { quoteIdentifier } from './identifiers.ts'
import type { CassandraSession } from './session.ts'
import { type TicketStatements, ticketStatements } from './ticket-statements.ts'

/**
 * The queues of fair locks, in Cassandra: `tables.lockTickets`.
 *
 * @example
 * const locks = new Locks(leases, { tickets: new CassandraTicketStore(session) })
 */
export class CassandraTicketStore implements TicketStore {
  readonly #session: CassandraSession
  readonly #statements: TicketStatements

  /** @throws InvalidArgumentError on a table name that cannot stand in CQL */
  constructor(session: CassandraSession, table = 'lock_tickets') {
    this.#session = session
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = ticketStatements(quoted, session.serial)
  }

  async put({ name, number, owner }: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void> {
    // A TTL bound to null or 0 would mean no expiry.
    if (!(ttlSeconds > 0))
      throw new InvalidArgumentError(`ttlSeconds is ${ttlSeconds}; a positive number is expected.`)
    await this.#session.execute(this.#statements.put, [name, number, owner, ttlSeconds, atMicros])
  }

  async remove({ name, number, owner }: Ticket, atMicros: bigint): Promise<void> {
    await this.#session.execute(this.#statements.remove, [atMicros, name, number, owner])
  }

  async first(name: string, from: bigint, limit: number): Promise<Ticket[]> {
    const { rows } = await this.#session.execute(this.#statements.first, [name, from, limit])
    return rows.map(({ number, owner }) => {
      if (typeof number !== 'bigint' || typeof owner !== 'string')
        throw new StoreRefusedError(
          'The table of tickets does not have the columns number bigint, owner text.',
        )
      return { name, number, owner }
    })
  }
}
