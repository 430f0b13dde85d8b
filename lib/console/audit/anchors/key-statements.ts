/** All CQL of the table that says which audit key the consoles of a keyspace have. The schema role alone writes it. */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../../store/statement-kinds.ts'

export function keyStatements(keyspace: string, serial: SerialLevel) {
  const { plain, confirmed } = statementsIn(keyspace, serial)
  const columns = 'key_id, since_bucket, since_seq, since_hash, made_at, seal'
  return {
    read: confirmed(`SELECT id, ${columns} FROM $k.audit_keys WHERE id = 'current'`),
    write: plain(`INSERT INTO $k.audit_keys (id, ${columns}) VALUES ('current', ?, ?, ?, ?, ?, ?)`),
  }
}
