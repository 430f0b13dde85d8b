import {
  levelsOf,
  quoteIdentifier,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from 'leasehold/cassandra'

/** The three kinds of statements on the console's tables; `$k` in their CQL is the keyspace. */
export function statementsIn(keyspace: string, serial: SerialLevel) {
  const level = levelsOf(serial)
  const quoted = quoteIdentifier('keyspace', keyspace)
  /** Reads and unconditional writes at quorum: the next read sees what was written. */
  const plain = (cql: string): Statement => ({
    operation: 'console',
    cql: cql.replace('$k', quoted),
    consistency: level.quorum,
    readTimeoutMs,
  })
  /**
   * Writes with IF. Tables that have them are written in no other way, but for two: `overwriteUser` replaces a row of `users` that something
   * dated ahead, which no conditional write can change; and the lab writes and deletes its `lab_counters` also without a condition.
   */
  const conditional = (cql: string): Statement => ({
    ...plain(cql),
    serialConsistency: level.serial,
    readTimeoutMs: writeTimeoutMs,
  })
  /** A SELECT of one partition that sees every decided conditional write. */
  const confirmed = (cql: string): Statement => ({ ...plain(cql), consistency: level.serial })
  return { plain, conditional, confirmed }
}
