import { z } from 'zod'
import { roleSchema } from '../../contract/people/session.ts'
import type { User } from '../../contract/people/user.ts'
import { iso } from '../http/instant.ts'
import type { RowVersion } from '../store/row-versions.ts'
import { type RowMark, readRow } from '../store/sealed-rows.ts'
import { userCells } from './people-statements.ts'

/** A user as stored. Rows of the first versions lack the later columns. */
const userRowSchema = z
  .object({
    username: z.string(),
    password_hash: z.string().nullable(),
    role: roleSchema,
    disabled: z.boolean(),
    created_at: z.date(),
    session_epoch: z.string().nullable(),
    subject: z.string().nullable(),
    change_id: z.string().nullable(),
    created_by: z.string().nullable(),
    changed_at: z.date().nullable(),
    changed_by: z.string().nullable(),
    version: z.coerce.number().nullable(),
    seal: z.string().nullable(),
  })
  .transform((row) => ({
    username: row.username,
    role: row.role,
    disabled: row.disabled,
    createdAt: row.created_at,
    /** Argon2id. null: the user has no password here. */
    passwordHash: row.password_hash,
    /** Every session that was opened under another one has ended. */
    epoch: row.session_epoch ?? '',
    /** Issuer and subject of a user who signs in at a provider. */
    subject: row.subject,
    /** Which change made the row what it is. */
    changeId: row.change_id,
    /** The user, or the account at the server's shell, that made this one; null: the server itself, or not known. */
    createdBy: row.created_by,
    /** When another account changed role, password or `disabled` last, and which; null: none ever did. */
    changedAt: row.changed_at,
    changedBy: row.changed_by,
    version: row.version,
    seal: row.seal,
  }))

type StoredUser = z.infer<typeof userRowSchema>
/** A user whose row holds: store/sealed-rows.ts. */
export type UserRow = StoredUser & RowMark

/** What is chosen of a new user. */
export type NewRow = Pick<UserRow, 'username' | 'role' | 'passwordHash' | 'subject' | 'createdBy'>

/** What the seal of a user is over, by the names of the columns. */
export const userColumns = (user: Omit<StoredUser, keyof RowMark>) => ({
  username: user.username,
  password_hash: user.passwordHash,
  role: user.role,
  disabled: user.disabled,
  created_at: user.createdAt,
  created_by: user.createdBy,
  session_epoch: user.epoch,
  subject: user.subject,
  change_id: user.changeId,
  changed_at: user.changedAt,
  changed_by: user.changedBy,
})

/** All columns in the order in which statements name them. */
export function userValues(user: UserRow): unknown[] {
  const columns = { ...userColumns(user), version: BigInt(user.version), seal: user.seal }
  return [user.username, ...userCells.map((cell) => columns[cell])]
}

/** @param stored a row as the driver gives it */
export const readUser = (stored: Record<string, unknown>) =>
  readRow({ table: 'users', key: String(stored.username) }, stored, userRowSchema, userColumns)

/** More than the clocks of consoles differ. */
const clocksDifferMs = 60_000

/** A version is the time at which it was made, or one more than that before it: a console makes none that is far ahead of both. */
export const isMadeUp = (version: number, nowMs: number): boolean => version > nowMs + clocksDifferMs

/** What an audit entry records of a user's row. */
export const userVersion = ({ username, version }: UserRow): RowVersion => ({
  table: 'users',
  key: username,
  version,
})

export const userJson = ({ username, role, disabled, subject, createdAt }: UserRow): User => ({
  username,
  role,
  disabled,
  via: subject === null ? 'password' : 'sso',
  createdAt: iso(createdAt.getTime()),
})

export const isAdmin = ({ role, disabled }: Pick<UserRow, 'role' | 'disabled'>) =>
  role === 'admin' && !disabled

/**
 * Another enabled admin, who is left when `user` is none any more: the first by name. null: there is none. For an admin with a
 * password it is one with a password: the provider of single sign-on can take the role of its users at any time.
 */
export const witnessOf = (users: readonly UserRow[], user: UserRow): UserRow | null =>
  users.find(
    (other) =>
      other.username !== user.username &&
      isAdmin(other) &&
      (user.passwordHash === null || other.passwordHash !== null),
  ) ?? null
