/** All CQL of `lock_tickets`. Plain writes, dated by the caller: the order of a waiter's own writes is all that counts. */
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from './statements.ts'

export interface TicketStatements {
  readonly put: Statement
  readonly remove: Statement
  readonly first: Statement
}

/** Of `lock_tickets (name, number, owner, PRIMARY KEY (name, number, owner))`: rows of a key and a marker alone. */
export function ticketStatements(table: string, serial: SerialLevel): TicketStatements {
  const plain = { consistency: levelsOf(serial).quorum, readTimeoutMs }
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
