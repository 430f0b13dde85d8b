/** All CQL of the terms, each statement with its consistency and its serial consistency. */
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement, writeTimeoutMs } from './statements.ts'

export interface TermStatements {
  readonly read: Statement
  readonly begin: Statement
}

/**
 * Of `election_terms("group" text PRIMARY KEY, term bigint, leader text, token bigint, since timestamp)`. `IF term =
 * null` is bound, and true of a row that is not there.
 */
export function termStatements(table: string, serial: SerialLevel): TermStatements {
  const level = levelsOf(serial)
  return {
    read: {
      cql: `SELECT "term", "leader", "token", "since" FROM ${table} WHERE "group" = ?`,
      consistency: level.serial,
      readTimeoutMs,
    },
    begin: {
      cql: `UPDATE ${table} SET "term" = ?, "leader" = ?, "token" = ?, "since" = ? WHERE "group" = ? IF "term" = ?`,
      consistency: level.quorum,
      serialConsistency: level.serial,
      readTimeoutMs: writeTimeoutMs,
    },
  }
}
