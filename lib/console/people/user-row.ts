import { z } from 'zod'
import { roleSchema } from '../../contract/session.ts'
import type { User } from '../../contract/user.ts'
import { iso } from '../http/instant.ts'

/** A user as kept. Rows of the first versions lack what came later. */
export const userRowSchema = z
  .object({
    username: z.string(),
    password_hash: z.string().nullable(),
    role: roleSchema,
    disabled: z.boolean(),
    created_at: z.date(),
    session_epoch: z.string().nullable(),
    subject: z.string().nullable(),
    change_id: z.string().nullable(),
  })
  .transform((row) => ({
    username: row.username,
    role: row.role,
    disabled: row.disabled,
    createdAt: row.created_at,
    /** Argon2id. null: has no password here. */
    passwordHash: row.password_hash,
    /** Every session that was opened under another one has ended. */
    epoch: row.session_epoch ?? '',
    /** Issuer and subject of somebody who signs in elsewhere. */
    subject: row.subject,
    /** Which change made the row what it is. */
    changeId: row.change_id,
  }))

export type UserRow = z.infer<typeof userRowSchema>

export const userJson = ({ username, role, disabled, subject, createdAt }: UserRow): User => ({
  username,
  role,
  disabled,
  via: subject === null ? 'password' : 'sso',
  createdAt: iso(createdAt.getTime()),
})

const isAdmin = ({ role, disabled }: UserRow) => role === 'admin' && !disabled

/**
 * Whether nobody could administer the console any more if `user` became `after`: no other admin who is enabled is
 * left. For somebody with a password, another with a password has to be left: whether those who sign in elsewhere are
 * admins is decided elsewhere, and can change at any time.
 */
export function isLastAdmin(users: readonly UserRow[], user: UserRow, after: UserRow): boolean {
  if (!isAdmin(user) || isAdmin(after)) return false
  return !users.some(
    (other) =>
      other.username !== user.username &&
      isAdmin(other) &&
      (user.passwordHash === null || other.passwordHash !== null),
  )
}
