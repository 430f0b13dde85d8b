import { z } from 'zod'
import type { FollowUp } from '../../audit/recovery/recovery.ts'
import { type UserRow, userVersion } from '../user-row.ts'
import type { Sessions } from './sessions.ts'

const beforeSchema = z.object({ session: z.string() })
const endedSchema = z.object({ ended: z.literal(true) })
const userBeforeSchema = z.object({ userVersion: z.number() })

/**
 * What became of an elevation whose process ended. The row does not tell whether the elevation ended the session, or a
 * sign-out since: `unknown`. Nor does it tell whether an elevation was ended, or ended by itself. The row's version is
 * noted, so that an older one cannot be put back.
 */
export const elevationFollowUp =
  (sessions: Pick<Sessions, 'versionNow'>): FollowUp =>
  async ({ before, after }) => {
    const key = beforeSchema.safeParse(before).data?.session
    if (key === undefined) return { outcome: 'unknown', after: null }
    const row = await sessions.versionNow(key)
    const isUnknown = row.version === null || endedSchema.safeParse(after).success
    return { outcome: isUnknown ? 'unknown' : 'not-done', after: null, rows: [row] }
  }

/**
 * What became of a sign-out everywhere whose process ended. It changes the user's row: while the row has the version from before, it
 * ended no session. A later version may come from another change: `unknown`.
 */
export const signOutFollowUp =
  (
    users: { confirmed(username: string): Promise<UserRow | null> },
    sessions: Pick<Sessions, 'versionNow'>,
  ): FollowUp =>
  async ({ actor, before }) => {
    const user = await users.confirmed(actor.username)
    const key = beforeSchema.safeParse(before).data?.session
    const rows = [
      ...(user === null ? [] : [userVersion(user)]),
      ...(key === undefined ? [] : [await sessions.versionNow(key)]),
    ]
    const versionBefore = userBeforeSchema.safeParse(before).data?.userVersion
    const isUnchanged = user !== null && user.version === versionBefore
    return { outcome: isUnchanged ? 'not-done' : 'unknown', after: null, rows }
  }
