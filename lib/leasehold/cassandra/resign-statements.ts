/** All CQL of the requests to resign, each statement with its consistency. */
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from './statements.ts'

export interface ResignStatements {
  readonly ask: Statement
  readonly of: Statement
  readonly ofOwner: Statement
}

/** More than people write in a day to one holder, or look through; what is above it is not read. */
const mostRequests = 1_000

/**
 * Of `tables.resign_requests`. Plain writes: a row is written once, and again only as it is. Its timestamp is that of the
 * event, so that a retry that lands late changes nothing.
 */
export function resignStatements(table: string, serial: SerialLevel): ResignStatements {
  const { quorum } = levelsOf(serial)
  const of = (where: string): Statement => ({
    cql: `SELECT owner, id, requested_by, reason, requested_at FROM ${table} WHERE ${where} LIMIT ${mostRequests}`,
    consistency: quorum,
    readTimeoutMs,
  })
  return {
    ask: {
      cql: `INSERT INTO ${table} (lease_table, name, owner, id, requested_by, reason, requested_at) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?`,
      consistency: quorum,
      readTimeoutMs,
    },
    of: of('lease_table = ? AND name = ?'),
    // A holder's own, at each renewal: those to the holders before it are passed over.
    ofOwner: of('lease_table = ? AND name = ? AND owner = ?'),
  }
}
