/**
 * All CQL of the bakery's two tables. Plain writes with their customer's own timestamp, at QUORUM, as are the reads:
 * a read that begins after a write was acknowledged meets it in one replica at least. Nobody else may write them.
 */
import { levelsOf, readTimeoutMs, type SerialLevel, type Statement } from './statements.ts'

export interface BakeryStatements {
  readonly setChoosing: Statement
  readonly clearChoosing: Statement
  readonly setNumber: Statement
  readonly clearNumber: Statement
  readonly choosing: Statement
  readonly numbers: Statement
}

/** Writes are given up as early as reads: one that lands later is harmless, and the next is tried sooner. */
export function bakeryStatements(choosing: string, numbers: string, serial: SerialLevel): BakeryStatements {
  const at = { consistency: levelsOf(serial).quorum, readTimeoutMs }
  return {
    setChoosing: {
      cql: `INSERT INTO ${choosing} (name, customer, choosing) VALUES (?, ?, true) USING TIMESTAMP ? AND TTL ?`,
      ...at,
    },
    clearChoosing: {
      cql: `DELETE FROM ${choosing} USING TIMESTAMP ? WHERE name = ? AND customer = ?`,
      ...at,
    },
    setNumber: {
      cql: `INSERT INTO ${numbers} (name, customer, number) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
      ...at,
    },
    clearNumber: { cql: `DELETE FROM ${numbers} USING TIMESTAMP ? WHERE name = ? AND customer = ?`, ...at },
    choosing: { cql: `SELECT customer, choosing FROM ${choosing} WHERE name = ?`, ...at },
    numbers: { cql: `SELECT customer, number FROM ${numbers} WHERE name = ?`, ...at },
  }
}
