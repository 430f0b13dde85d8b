/** All CQL of the requests to resign, each statement with its consistency. */
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from './statements.ts'

export interface ResignStatements {
  readonly ask: Statement
  readonly of: Statement
}

/** More than people write in a day to one name; what is above it is not read. */
const mostRequests = 1_000

/**
 * Of `tables.resign_requests`. Plain writes: a row is written once, and again only as it is. Its timestamp is that of the
 * event, so that a retry that lands late changes nothing.
 */
export function resignStatements(table: string, serial: SerialLevel): ResignStatements {
  const { quorum } = levelsOf(serial)
  return {
    ask: {
      cql: `INSERT INTO ${table} (lease_table, name, owner, id, requested_by, reason, requested_at) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?`,
      consistency: quorum,
      readTimeoutMs,
    },
    of: {
      cql: `SELECT owner, id, requested_by, reason, requested_at FROM ${table} WHERE lease_table = ? AND name = ? LIMIT ${mostRequests}`,
      consistency: quorum,
      readTimeoutMs,
    },
  }
}
