/**
 * All CQL of the tokens of programs. A token is made and revoked by conditional writes: their order is Cassandra's, where
 * that of plain ones is the order of the instances' clocks, and a token of one that is ahead would outlive its revocation.
 */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../../store/statement-kinds.ts'

export function tokenStatements(keyspace: string, serial: SerialLevel) {
  const { plain, conditional, confirmed } = statementsIn(keyspace, serial)
  const token = 'id, name, secret_hash, role, prefixes, tables, created_by, created_at, version, seal'
  return {
    insertToken: conditional(
      `INSERT INTO $k.api_tokens (${token}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS`,
    ),
    readToken: plain(`SELECT ${token} FROM $k.api_tokens WHERE id = ?`),
    // Of programs that are looked up at the same time: store/batch.
    readTokens: plain(`SELECT ${token} FROM $k.api_tokens WHERE id IN ?`),
    confirmToken: confirmed(`SELECT ${token} FROM $k.api_tokens WHERE id = ?`),
    // On condition of the seal too: an instance with another key may have sealed the row since it was read.
    sealToken: conditional(
      'UPDATE $k.api_tokens SET version = ?, seal = ? WHERE id = ? IF secret_hash = ? AND seal = ?',
    ),
    // A few rows: every program has one.
    listTokens: plain(`SELECT ${token} FROM $k.api_tokens`),
    deleteToken: conditional('DELETE FROM $k.api_tokens WHERE id = ? IF EXISTS'),
    // One row. Without a row the condition holds too: nothing equals null.
    noteRevocation: conditional('UPDATE $k.token_revocations SET last = ? WHERE id = ? IF last != ?'),
    readRevocation: plain('SELECT id, last FROM $k.token_revocations WHERE id = ?'),
    readRevocations: plain('SELECT id, last FROM $k.token_revocations WHERE id IN ?'),
    confirmRevocation: confirmed('SELECT last FROM $k.token_revocations WHERE id = ?'),
    listTokenUses: plain('SELECT id, used_at FROM $k.token_uses'),
    noteTokenUse: plain('INSERT INTO $k.token_uses (id, used_at) VALUES (?, ?)'),
    deleteTokenUse: plain('DELETE FROM $k.token_uses WHERE id = ?'),
  }
}

export type TokenStatements = ReturnType<typeof tokenStatements>
