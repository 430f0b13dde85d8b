import { InvalidArgumentError, StoreRefusedError, type Ticket, type TicketStore } from '../../lease/index.ts'
import { defaultMapping, quoteMapping, type TableMapping } from '../leases/mapping.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from '../session/statement.ts'

interface TicketStatements {
  readonly put: Statement
  readonly remove: Statement
  readonly first: Statement
}

/**
 * The statements on `tables.lock_tickets`, whose rows have key columns alone. Plain writes with the waiter's own
 * timestamps: only the order of one waiter's writes matters.
 */
function ticketStatements(table: string, serial: SerialLevel): TicketStatements {
  const plain = { operation: 'ticket', consistency: levelsOf(serial).quorum, readTimeoutMs }
  return {
    put: {
      cql: `INSERT INTO ${table} (name, number, owner) VALUES (?, ?, ?) USING TTL ? AND TIMESTAMP ?`,
      ...plain,
    },
    remove: {
      cql: `DELETE FROM ${table} USING TIMESTAMP ? WHERE name = ? AND number = ? AND owner = ?`,
      ...plain,
    },
    first: {
      cql: `SELECT number, owner FROM ${table} WHERE name = ? AND number >= ? LIMIT ?`,
      ...plain,
    },
  }
}

/**
 * The queues of fair locks in Cassandra: `tables.lock_tickets`, in the session's keyspace, whichever keyspace has the
 * leases.
 *
 * @example
 * const queue = await new CassandraTicketStore(session).first('jobs/report', 0n, 10)
 */
export class CassandraTicketStore implements TicketStore {
  readonly #session: Executor
  readonly #statements: TicketStatements
  /** Keeps the queues of different lease tables apart; empty for the table `leases`. */
  readonly #prefix: string

  /**
   * @param mapping the table of the leases, as `CassandraLeaseStore` takes it
   * @throws InvalidArgumentError on an invalid identifier
   */
  constructor(session: Executor, mapping: TableMapping = defaultMapping, table = 'lock_tickets') {
    this.#session = session
    quoteMapping(mapping, session.keyspace)
    this.#prefix = queuePrefix(mapping, session.keyspace)
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = ticketStatements(quoted, session.serial)
  }

  async put({ name, number, owner }: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void> {
    // Cassandra takes a TTL of null or 0 for no expiry.
    if (!(ttlSeconds > 0))
      throw new InvalidArgumentError(`ttlSeconds is ${ttlSeconds}; a positive number is expected.`)
    await this.#session.execute(this.#statements.put, [
      this.#prefix + name,
      number,
      owner,
      ttlSeconds,
      atMicros,
    ])
  }

  async remove({ name, number, owner }: Ticket, atMicros: bigint): Promise<void> {
    await this.#session.execute(this.#statements.remove, [atMicros, this.#prefix + name, number, owner])
  }

  async first(name: string, from: bigint, limit: number): Promise<Ticket[]> {
    const { rows } = await this.#session.execute(this.#statements.first, [this.#prefix + name, from, limit])
    return rows.map(({ number, owner }) => {
      if (typeof number !== 'bigint' || typeof owner !== 'string')
        throw new StoreRefusedError(
          'The table of tickets does not have the columns number bigint, owner text.',
        )
      return { name, number, owner }
    })
  }
}

/** Ends with a character that no identifier has, and hardly any name: the queues of two tables stay apart. */
function queuePrefix({ keyspace, table }: TableMapping, sessionKeyspace: string): string {
  const isDefault = (keyspace ?? sessionKeyspace) === sessionKeyspace && table === defaultMapping.table
  return isDefault ? '' : `${keyspace ?? sessionKeyspace}.${table}\u0000`
}
