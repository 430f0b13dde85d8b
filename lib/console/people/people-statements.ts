/** All CQL of users, of their changes, and of sessions. Written by conditional writes alone. */
import type { SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../store/statement-kinds.ts'

export function peopleStatements(keyspace: string, serial: SerialLevel) {
  const { plain, conditional, confirmed } = statementsIn(keyspace, serial)
  const user = 'username, password_hash, role, disabled, created_at, session_epoch, subject, change_id'
  const sessionColumns = [
    'username',
    'created_at',
    'session_epoch',
    'via',
    'address',
    'ends_at',
    'used_at',
    'elevated_until',
    'elevated_under',
  ]
  return {
    readUser: plain(`SELECT ${user} FROM $k.users WHERE username = ?`),
    confirmUser: confirmed(`SELECT ${user} FROM $k.users WHERE username = ?`),
    // A few rows: people.
    listUsers: plain(`SELECT ${user} FROM $k.users`),
    insertUser: conditional(`INSERT INTO $k.users (${user}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS`),
    changeUser: conditional(
      'UPDATE $k.users SET role = ?, disabled = ?, password_hash = ?, session_epoch = ?, change_id = ? WHERE username = ? IF change_id = ?',
    ),
    readUserChange: confirmed("SELECT id, change FROM $k.user_changes WHERE scope = 'users'"),
    takeUserChange: conditional(
      "UPDATE $k.user_changes SET id = ?, change = ? WHERE scope = 'users' IF id = ?",
    ),
    readSession: plain(`SELECT ${sessionColumns.join(', ')} FROM $k.sessions WHERE id_hash = ?`),
    insertSession: conditional(
      `INSERT INTO $k.sessions (id_hash, ${sessionColumns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS USING TTL ?`,
    ),
    // Every column, or those left out would expire. On condition that it is as it was read: one that was ended stays
    // ended, and so does an elevation.
    rewriteSession: conditional(
      `UPDATE $k.sessions USING TTL ? SET ${sessionColumns.map((column) => `${column} = ?`).join(', ')} WHERE id_hash = ? IF used_at = ? AND elevated_until = ?`,
    ),
    deleteSession: conditional('DELETE FROM $k.sessions WHERE id_hash = ? IF EXISTS'),
  }
}

export type PeopleStatements = ReturnType<typeof peopleStatements>
