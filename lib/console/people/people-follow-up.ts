import { z } from 'zod'
import type { AuditEntry } from '../../contract/audit.ts'
import { roleSchema } from '../../contract/people/session.ts'
import type { FollowedUp, FollowUps } from '../audit/recovery/recovery.ts'
import { elevationFollowUp, signOutFollowUp } from './sessions/session-follow-up.ts'
import type { Sessions } from './sessions/sessions.ts'
import { type UserRow, userVersion } from './user-row.ts'
import type { Users } from './users.ts'

const wantedSchema = z.object({ role: roleSchema.optional(), disabled: z.boolean().optional() })

type Rows = NonNullable<FollowedUp['rows']>

const found = (done: boolean, rows: Rows, after: unknown = null): FollowedUp => ({
  outcome: done ? 'ok' : 'not-done',
  after,
  rows,
})

/** The version that the row has now, whichever change gave it: older ones are refused from then on. */
const versionOf = (user: UserRow | null): Rows => (user === null ? [] : [userVersion(user)])

/** Both instants are by the clock of the instance that acted. */
const sameClockMs = 1_000

/**
 * Finds out what became of an act on a user, by reading its row. A user that existed before the act is not its
 * work; users are never deleted. No row shows whether a password was set: `unknown`.
 * Does not guarantee: to recognise a change that a later one has overwritten.
 */
export function peopleFollowUps({
  users,
  sessions,
}: {
  users: Pick<Users, 'confirmed'>
  sessions: Pick<Sessions, 'versionNow'>
}): FollowUps {
  const userOf = async ({ on }: AuditEntry) => (on.kind === 'user' ? users.confirmed(on.username) : null)
  const made = async (intent: AuditEntry) => {
    const user = await userOf(intent)
    const isDone = user !== null && user.createdAt.getTime() >= Date.parse(intent.at) - sameClockMs
    return found(isDone, versionOf(user))
  }
  return {
    elevation: elevationFollowUp(sessions),
    'sign-out': signOutFollowUp(users, sessions),
    'set-up': made,
    'user-create': made,
    'user-change': async (intent) => {
      // `npm run user -- seal`: many rows, and each may have been sealed.
      if (intent.on.kind !== 'user') return { outcome: 'unknown', after: null }
      const user = await userOf(intent)
      const wanted = wantedSchema.safeParse(intent.after).data ?? {}
      const isDone =
        user !== null &&
        (wanted.role === undefined || wanted.role === user.role) &&
        (wanted.disabled === undefined || wanted.disabled === user.disabled)
      return found(isDone, versionOf(user), user && { role: user.role, disabled: user.disabled })
    },
    password: async (intent) => ({
      outcome: 'unknown',
      after: null,
      rows: versionOf(await userOf(intent)),
    }),
  }
}
