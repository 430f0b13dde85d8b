/** All CQL of the tokens of programs: rows that are written once and deleted, so that plain writes will do. */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from './statement-kinds.ts'

export function tokenStatements(keyspace: string, serial: SerialLevel) {
  const { plain } = statementsIn(keyspace, serial)
  const token = 'id, name, secret_hash, role, prefixes, created_by, created_at'
  return {
    insertToken: plain(`INSERT INTO $k.api_tokens (${token}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    readToken: plain(`SELECT ${token} FROM $k.api_tokens WHERE id = ?`),
    // A few rows: every program has one.
    listTokens: plain(`SELECT ${token} FROM $k.api_tokens`),
    deleteToken: plain('DELETE FROM $k.api_tokens WHERE id = ?'),
    listTokenUses: plain('SELECT id, used_at FROM $k.token_uses'),
    noteTokenUse: plain('INSERT INTO $k.token_uses (id, used_at) VALUES (?, ?)'),
    deleteTokenUse: plain('DELETE FROM $k.token_uses WHERE id = ?'),
  }
}
