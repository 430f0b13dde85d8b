/**
 * All CQL of the console's own tables. They are plain rows with client-made ids, except where one must not be made
 * twice; each partition is one row of less than 1 kB.
 */
import {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from 'leasehold/cassandra'

export function consoleStatements(keyspace: string, serial: SerialLevel) {
  const level = levelsOf(serial)
  const plain = (cql: string): Statement => ({
    cql: cql.replace('$k', `"${keyspace}"`),
    consistency: level.quorum,
    readTimeoutMs,
  })
  const conditional = (cql: string): Statement => ({
    ...plain(cql),
    serialConsistency: level.serial,
    readTimeoutMs: writeTimeoutMs,
  })
  return {
    readUser: plain('SELECT password_hash, role, disabled FROM $k.users WHERE username = ?'),
    insertUser: conditional(
      'INSERT INTO $k.users (username, password_hash, role, disabled, created_at) VALUES (?, ?, ?, false, ?) IF NOT EXISTS',
    ),
    readSession: plain('SELECT username FROM $k.sessions WHERE id_hash = ?'),
    insertSession: plain(
      'INSERT INTO $k.sessions (id_hash, username, created_at) VALUES (?, ?, ?) USING TTL ?',
    ),
    deleteSession: plain('DELETE FROM $k.sessions WHERE id_hash = ?'),
    readMigrations: plain('SELECT version, checksum FROM $k.schema_migrations'),
    insertMigration: plain(
      'INSERT INTO $k.schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
    ),
  }
}

export type ConsoleStatements = ReturnType<typeof consoleStatements>
