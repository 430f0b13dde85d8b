/**
 * All CQL of users and sessions. Both tables are written by conditional writes alone, but for a row that those do not change
 * (user-effect.ts); both columns at the end seal a row.
 */
import type { SerialLevel } from 'leasehold/cassandra'
import { timesOf } from '../audit/verify/cell-times.ts'
import { statementsIn } from '../store/statement-kinds.ts'

/** The columns of a user beside the key. */
export const userCells = [
  'password_hash',
  'role',
  'disabled',
  'created_at',
  'created_by',
  'session_epoch',
  'subject',
  'change_id',
  'changed_at',
  'changed_by',
  'version',
  'seal',
] as const

export function peopleStatements(keyspace: string, serial: SerialLevel) {
  const { plain, conditional, confirmed } = statementsIn(keyspace, serial)
  const user = ['username', ...userCells].join(', ')
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
    'version',
    'seal',
  ]
  return {
    readUser: plain(`SELECT ${user} FROM $k.users WHERE username = ?`),
    // Of people who are looked up at the same time: store/batch.
    readUsers: plain(`SELECT ${user} FROM $k.users WHERE username IN ?`),
    confirmUser: confirmed(`SELECT ${user} FROM $k.users WHERE username = ?`),
    userTimes: confirmed(`SELECT ${timesOf(userCells)} FROM $k.users WHERE username = ?`),
    // A few rows: people.
    listUsers: plain(`SELECT ${user} FROM $k.users`),
    insertUser: conditional(
      `INSERT INTO $k.users (${user}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS`,
    ),
    overwriteUser: plain(
      `INSERT INTO $k.users (${user}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?`,
    ),
    changeUser: conditional(
      'UPDATE $k.users SET role = ?, disabled = ?, password_hash = ?, session_epoch = ?, change_id = ?, changed_at = ?, changed_by = ?, version = ?, seal = ? WHERE username = ? IF change_id = ? AND version = ?',
    ),
    // On condition of the seal too: an instance with another key may have sealed the row since it was read.
    sealUser: conditional(
      'UPDATE $k.users SET version = ?, seal = ? WHERE username = ? IF change_id = ? AND seal = ?',
    ),
    // See admin-guard.ts. The user does not change, so the id of the last change stays.
    renewUser: conditional('UPDATE $k.users SET version = ?, seal = ? WHERE username = ? IF version = ?'),
    readSession: plain(`SELECT ${sessionColumns.join(', ')} FROM $k.sessions WHERE id_hash = ?`),
    readSessions: plain(`SELECT id_hash, ${sessionColumns.join(', ')} FROM $k.sessions WHERE id_hash IN ?`),
    confirmSession: confirmed(`SELECT ${sessionColumns.join(', ')} FROM $k.sessions WHERE id_hash = ?`),
    insertSession: conditional(
      `INSERT INTO $k.sessions (id_hash, ${sessionColumns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS USING TTL ?`,
    ),
    // Sets every column, because those left out would expire. On condition that the row is as it was read: a session
    // that has ended stays ended, and so does an elevation.
    rewriteSession: conditional(
      `UPDATE $k.sessions USING TTL ? SET ${sessionColumns.map((column) => `${column} = ?`).join(', ')} WHERE id_hash = ? IF used_at = ? AND elevated_until = ?`,
    ),
    deleteSession: conditional('DELETE FROM $k.sessions WHERE id_hash = ? IF EXISTS'),
  }
}

export type PeopleStatements = ReturnType<typeof peopleStatements>
