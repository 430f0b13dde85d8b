/**
 * All CQL of the table that says which audit key the consoles of a keyspace have. The schema role alone writes it, by
 * conditional writes alone: a start that stood still must not write its key over that of the consoles that serve.
 */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../../store/statement-kinds.ts'

export function keyStatements(keyspace: string, serial: SerialLevel) {
  const { conditional, confirmed } = statementsIn(keyspace, serial)
  const columns = 'key_id, since_bucket, since_seq, since_hash, made_at, seal'
  return {
    read: confirmed(`SELECT id, ${columns} FROM $k.audit_keys WHERE id = 'current'`),
    insert: conditional(
      `INSERT INTO $k.audit_keys (id, ${columns}) VALUES ('current', ?, ?, ?, ?, ?, ?) IF NOT EXISTS`,
    ),
    // No row has no seal: the condition holds for a row that was deleted, too.
    replace: conditional(
      "UPDATE $k.audit_keys SET key_id = ?, since_bucket = ?, since_seq = ?, since_hash = ?, made_at = ?, seal = ? WHERE id = 'current' IF seal = ?",
    ),
  }
}
