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
    insertToken: plain(
      'INSERT INTO $k.api_tokens (id, name, secret_hash, created_by, created_at) VALUES (?, ?, ?, ?, ?)',
    ),
    readToken: plain('SELECT id, name, secret_hash, created_by, created_at FROM $k.api_tokens WHERE id = ?'),
    // A few rows: every program has one.
    listTokens: plain('SELECT id, name, secret_hash, created_by, created_at FROM $k.api_tokens'),
    deleteToken: plain('DELETE FROM $k.api_tokens WHERE id = ?'),
    claimRequest: conditional(
      'INSERT INTO $k.idempotent_requests (id, request_hash, attempt) VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?',
    ),
    readRequest: {
      ...plain('SELECT request_hash, attempt, status, body FROM $k.idempotent_requests WHERE id = ?'),
      consistency: level.serial,
    },
    keepRequest: conditional(
      'UPDATE $k.idempotent_requests USING TTL ? SET request_hash = ?, status = ?, body = ?, attempt = ? WHERE id = ? IF attempt = ?',
    ),
    dropRequest: conditional('DELETE FROM $k.idempotent_requests WHERE id = ? IF attempt = ?'),
    readMigrations: plain('SELECT version, checksum FROM $k.schema_migrations'),
    insertMigration: plain(
      'INSERT INTO $k.schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
    ),
  }
}

export type ConsoleStatements = ReturnType<typeof consoleStatements>
