import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../statement-kinds.ts'

/** The CQL of the list of migrations. */
export function migrationStatements(keyspace: string, serial: SerialLevel) {
  const { plain } = statementsIn(keyspace, serial)
  return {
    readMigrations: plain('SELECT version, checksum FROM $k.schema_migrations'),
    insertMigration: plain(
      'INSERT INTO $k.schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
    ),
  }
}
