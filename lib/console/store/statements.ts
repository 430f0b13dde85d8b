/**
 * The CQL of the console's own tables; of users, sessions and tokens in files of their own. Plain rows with client-made
 * ids, except where one must not be made twice; each partition is one row of less than 1 kB.
 */
import type { SerialLevel } from 'leasehold/cassandra'
import { peopleStatements } from '../people/people-statements.ts'
import { tokenStatements } from '../programs/tokens/token-statements.ts'
import { statementsIn } from './statement-kinds.ts'

export function consoleStatements(keyspace: string, serial: SerialLevel) {
  const { plain, conditional, confirmed } = statementsIn(keyspace, serial)
  return {
    ...peopleStatements(keyspace, serial),
    ...tokenStatements(keyspace, serial),
    claimRequest: conditional(
      'INSERT INTO $k.idempotent_requests (id, request_hash, attempt) VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?',
    ),
    readRequest: confirmed(
      'SELECT request_hash, attempt, status, body FROM $k.idempotent_requests WHERE id = ?',
    ),
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
