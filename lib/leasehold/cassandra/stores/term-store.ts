import type { Term, TermAnswer, TermStore } from '../../election/index.ts'
import { StoreRefusedError } from '../../lease/index.ts'
import { isApplied } from '../driver/applied.ts'
import { quoteIdentifier } from '../schema/identifiers.ts'
import type { Executor } from '../session/executor.ts'
import { instantMs } from '../session/instant.ts'
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from '../session/statement.ts'

interface TermStatements {
  readonly read: Statement
  readonly begin: Statement
}

/**
 * The statements on `tables.election_terms`. `IF term = ?` with null is true for a missing row.
 */
function termStatements(table: string, serial: SerialLevel): TermStatements {
  const level = levelsOf(serial)
  return {
    read: {
      operation: 'term',
      cql: `SELECT "term", "leader", "token", "since" FROM ${table} WHERE "group" = ?`,
      consistency: level.serial,
      readTimeoutMs,
    },
    begin: {
      operation: 'term',
      cql: `UPDATE ${table} SET "term" = ?, "leader" = ?, "token" = ?, "since" = ? WHERE "group" = ? IF "term" = ?`,
      consistency: level.quorum,
      serialConsistency: level.serial,
      readTimeoutMs: writeTimeoutMs,
    },
  }
}

/**
 * The terms of elections in Cassandra: `tables.election_terms`, one row per group, without a TTL. Terms begin at 1
 * again only if the row was deleted, truncated, or restored from an older snapshot.
 */
export class CassandraTermStore implements TermStore {
  readonly #session: Executor
  readonly #statements: TermStatements

  /** @throws InvalidArgumentError on an invalid table name */
  constructor(session: Executor, table = 'election_terms') {
    this.#session = session
    const quoted = `${quoteIdentifier('keyspace', session.keyspace)}.${quoteIdentifier('table', table)}`
    this.#statements = termStatements(quoted, session.serial)
  }

  async read(group: string): Promise<Term | null> {
    const { rows } = await this.#session.execute(this.#statements.read, [group])
    return rows[0] === undefined ? null : storedTerm(rows[0])
  }

  async begin(group: string, from: bigint | null, next: Term): Promise<TermAnswer> {
    const { term, leader, token, sinceMs } = next
    const params = [term, leader, token, new Date(sinceMs), group, from]
    const { rows } = await this.#session.execute(this.#statements.begin, params)
    if (isApplied(rows[0])) return { applied: true }
    const found = rows[0]?.term
    return { applied: false, found: typeof found === 'bigint' ? found : null }
  }
}

function storedTerm({ term, leader, token, since }: Record<string, unknown>): Term {
  const sinceMs = instantMs(since)
  if (typeof term !== 'bigint' || typeof leader !== 'string' || typeof token !== 'bigint' || sinceMs === null)
    throw new StoreRefusedError('The table of terms has a row that is not a term.')
  return { term, leader, token, sinceMs }
}
