/** CQL of the recorder's stretches. Plain rows: only their end changes, forward, with the timestamp of the look that moved it. */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../store/statement-kinds.ts'

export function recordingStatements(keyspace: string, serial: SerialLevel) {
  const { plain } = statementsIn(keyspace, serial)
  return {
    write: plain(
      'INSERT INTO $k.lease_recordings (lease_table, day, began_at, recorder, what, why, until_at) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?',
    ),
    ofDay: plain(
      'SELECT began_at, recorder, what, why, until_at FROM $k.lease_recordings WHERE lease_table = ? AND day = ? LIMIT 5000',
    ),
  }
}
