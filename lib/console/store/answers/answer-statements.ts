/** All CQL of answers that are kept under an Idempotency-Key. The table is written by conditional writes alone. */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../statement-kinds.ts'

export function answerStatements(keyspace: string, serial: SerialLevel) {
  const { conditional, confirmed } = statementsIn(keyspace, serial)
  return {
    claim: conditional(
      'INSERT INTO $k.idempotent_requests (id, request_hash, attempt) VALUES (?, ?, ?) IF NOT EXISTS USING TTL ?',
    ),
    read: confirmed('SELECT request_hash, attempt, status, body FROM $k.idempotent_requests WHERE id = ?'),
    keep: conditional(
      'UPDATE $k.idempotent_requests USING TTL ? SET request_hash = ?, status = ?, body = ?, attempt = ? WHERE id = ? IF attempt = ?',
    ),
    drop: conditional('DELETE FROM $k.idempotent_requests WHERE id = ? IF attempt = ?'),
  }
}
