import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isAtLeast, type Session } from '../../contract/session.ts'
import { iso } from '../http/instant.ts'
import type { UserRow } from './user-row.ts'

/** A session as kept. One of an earlier version lacks its end, and has ended. */
export const sessionRowSchema = z
  .object({
    username: z.string(),
    created_at: z.date(),
    session_epoch: z.string(),
    via: z.enum(['password', 'sso', 'link']),
    address: z.string().nullable(),
    ends_at: z.date(),
    used_at: z.date(),
    elevated_until: z.date().nullable(),
    elevated_under: z.string().nullable(),
  })
  .transform((row) => ({
    username: row.username,
    createdAt: row.created_at,
    epoch: row.session_epoch,
    via: row.via,
    address: row.address,
    endsAtMs: row.ends_at.getTime(),
    usedAtMs: row.used_at.getTime(),
    elevatedUntilMs: row.elevated_until?.getTime() ?? null,
    /** The user's last change when the elevation was given. */
    elevatedUnder: row.elevated_under,
  }))

export type SessionRow = z.infer<typeof sessionRowSchema>

/** In the order of the statements' columns. */
export const sessionValues = (row: SessionRow): unknown[] => [
  row.username,
  row.createdAt,
  row.epoch,
  row.via,
  row.address,
  new Date(row.endsAtMs),
  new Date(row.usedAtMs),
  row.elevatedUntilMs === null ? null : new Date(row.elevatedUntilMs),
  row.elevatedUnder,
]

/** Opaque and random, with the name beside it; the table holds only its hash. */
export const newSessionId = (username: string): string =>
  `${randomBytes(32).toString('base64url')}.${Buffer.from(username).toString('base64url')}`

/** The name in an id. It only lets both rows be read at the same time; it proves nothing, and is compared with the row's. */
export const nameIn = (id: string): string => Buffer.from(id.split('.')[1] ?? '', 'base64url').toString()

export const sessionIdHash = (id: string): string => createHash('sha256').update(id).digest('hex')

/** Who this is now: role and elevation as they are now, so that any change takes effect at once. */
export function sessionOf(row: SessionRow, user: UserRow, nowMs: number): Session {
  const { username, role } = user
  const session: Session = {
    username,
    role,
    via: row.via,
    scope: null,
    elevatedUntil: null,
    expiresAt: iso(row.endsAtMs),
  }
  const { elevatedUntilMs, elevatedUnder } = row
  // Any change of the user ends it, so that none comes back with a role.
  const isElevated =
    elevatedUntilMs !== null && elevatedUntilMs > nowMs && elevatedUnder === (user.changeId ?? '')
  return isElevated && isAtLeast(session, 'operator')
    ? { ...session, elevatedUntil: iso(elevatedUntilMs) }
    : session
}
