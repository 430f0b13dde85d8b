import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isAtLeast } from '../../../contract/people/rights.ts'
import type { Session } from '../../../contract/people/session.ts'
import { iso } from '../../http/instant.ts'
import { type RowMark, readRow } from '../../store/sealed-rows.ts'
import type { UserRow } from '../user-row.ts'

/** A session as stored. A session of an earlier version has no seal, and counts as ended. */
const sessionRowSchema = z
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
    version: z.coerce.number(),
    seal: z.string(),
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
    version: row.version,
    seal: row.seal,
  }))

export type SessionRow = z.infer<typeof sessionRowSchema>
export type OpenSession = Omit<SessionRow, keyof RowMark>

/** A session that was opened or elevated. */
export interface Opened {
  /** For the cookie; it is kept nowhere else. */
  id: string
  /** As its row was written: the answer needs no read, which could fail after the act. */
  session: Session
}

/** What the seal of a session is over, by the names of the columns and in the order of the statements. */
export const sessionColumns = (row: OpenSession) => ({
  username: row.username,
  created_at: row.createdAt,
  session_epoch: row.epoch,
  via: row.via,
  address: row.address,
  ends_at: new Date(row.endsAtMs),
  used_at: new Date(row.usedAtMs),
  elevated_until: row.elevatedUntilMs === null ? null : new Date(row.elevatedUntilMs),
  elevated_under: row.elevatedUnder,
})

/** @param stored a row as the driver gives it */
export const readSession = (key: string, stored: unknown) =>
  readRow({ table: 'sessions', key }, stored, sessionRowSchema, (row) => ({
    id_hash: key,
    ...sessionColumns(row),
  }))

export const sessionValues = (row: SessionRow): unknown[] => [
  ...Object.values(sessionColumns(row)),
  BigInt(row.version),
  row.seal,
]

/** Opaque and random, with the user's name beside it; the table holds only its hash. */
export const newSessionId = (username: string): string =>
  `${randomBytes(32).toString('base64url')}.${Buffer.from(username).toString('base64url')}`

/**
 * The user's name in a session id, so that both rows can be read at the same time. It proves nothing: the caller
 * compares it with the row's.
 */
export const nameIn = (id: string): string => Buffer.from(id.split('.')[1] ?? '', 'base64url').toString()

export const sessionIdHash = (id: string): string => createHash('sha256').update(id).digest('hex')

/** The session as the API shows it, with role and elevation as they are now, so that any change takes effect at once. */
export function sessionOf(row: OpenSession, user: UserRow, nowMs: number): Session {
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
  // Any change of the user ends the elevation, so that no elevation comes back with a role.
  const isElevated =
    elevatedUntilMs !== null && elevatedUntilMs > nowMs && elevatedUnder === (user.changeId ?? '')
  return isElevated && isAtLeast(session, 'operator')
    ? { ...session, elevatedUntil: iso(elevatedUntilMs) }
    : session
}
