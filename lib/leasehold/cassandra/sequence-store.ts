import type { SequenceAnswer, SequenceStore } from '../sequence/index.ts'
import { quoteIdentifier } from './identifiers.ts'
import type { CassandraSession } from './session.ts'
import { type SequenceStatements, sequenceStatements } from './statements.ts'

/**
 * Sequences in Cassandra: `sequences(name text PRIMARY KEY, next bigint)`, without a TTL. A partition is one row.
 * A number comes again only after the row was deleted, truncated or restored from an older snapshot.
 */
export class CassandraSequenceStore implements SequenceStore {
  readonly #session: CassandraSession
  readonly #statements: SequenceStatements

  /** @throws InvalidArgumentError on a table name that cannot stand in CQL */
  constructor(session: CassandraSession, table = 'sequences') {
    this.#session = session
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = sequenceStatements(quoted, session.serial)
  }

  async read(name: string): Promise<bigint | null> {
    const { rows } = await this.#session.execute(this.#statements.read, [name])
    return next(rows[0])
  }

  async advance(name: string, from: bigint | null, to: bigint): Promise<SequenceAnswer> {
    const { rows } = await this.#session.execute(this.#statements.advance, [to, name, from])
    if (rows[0]?.['[applied]'] === true) return { applied: true }
    return { applied: false, found: next(rows[0]) }
  }
}

const next = (row: Record<string, unknown> | undefined): bigint | null =>
  typeof row?.next === 'bigint' ? row.next : null
