import { checkNext, type SequenceAnswer, type SequenceStore } from '../../sequence/index.ts'
import { isApplied } from '../driver/applied.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from '../session/statement.ts'

interface SequenceStatements {
  readonly read: Statement
  readonly advance: Statement
}

/** The statements on `tables.sequences`. `IF next = ?` with null is true for a missing row. */
function sequenceStatements(table: string, serial: SerialLevel): SequenceStatements {
  const level = levelsOf(serial)
  return {
    read: {
      operation: 'sequence',
      cql: `SELECT next FROM ${table} WHERE name = ?`,
      consistency: level.serial,
      readTimeoutMs,
    },
    advance: {
      operation: 'sequence',
      cql: `UPDATE ${table} SET next = ? WHERE name = ? IF next = ?`,
      consistency: level.quorum,
      serialConsistency: level.serial,
      readTimeoutMs: writeTimeoutMs,
    },
  }
}

/**
 * Sequences in Cassandra: `tables.sequences`, one row per sequence, without a TTL. A number comes again only if the row
 * was deleted, truncated, or restored from an older snapshot.
 */
export class CassandraSequenceStore implements SequenceStore {
  readonly #session: Executor
  readonly #statements: SequenceStatements

  /** @throws InvalidArgumentError on an invalid table name */
  constructor(session: Executor, table = 'sequences') {
    this.#session = session
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = sequenceStatements(quoted, session.serial)
  }

  async read(name: string): Promise<bigint | null> {
    const { rows } = await this.#session.execute(this.#statements.read, [name])
    return next(rows[0])
  }

  async advance(name: string, from: bigint | null, to: bigint): Promise<SequenceAnswer> {
    checkNext(name, to)
    const { rows } = await this.#session.execute(this.#statements.advance, [to, name, from])
    if (isApplied(rows[0])) return { applied: true }
    return { applied: false, found: next(rows[0]) }
  }
}

const next = (row: Record<string, unknown> | undefined): bigint | null =>
  typeof row?.next === 'bigint' ? row.next : null
