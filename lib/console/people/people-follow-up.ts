import { z } from 'zod'
import type { AuditEntry } from '../../contract/audit.ts'
import { roleSchema } from '../../contract/people/session.ts'
import { actOverAfterIntentMs, type FollowedUp, type FollowUps } from '../audit/recovery/recovery.ts'
import { elevationFollowUp, signOutFollowUp } from './sessions/session-follow-up.ts'
import type { Sessions } from './sessions/sessions.ts'
import { type UserRow, userVersion } from './user-row.ts'
import type { Users } from './users.ts'

const stateSchema = z.object({ role: roleSchema.optional(), disabled: z.boolean().optional() })
const beforeSchema = stateSchema.extend({ userVersion: z.number() })

type Rows = NonNullable<FollowedUp['rows']>

/** The version that the row has now, whichever change gave it: older ones are refused from then on. */
const versionOf = (user: UserRow | null): Rows => (user === null ? [] : [userVersion(user)])

/** Both instants are by the clock of the instance that acted. */
const sameClockMs = 1_000

/**
 * Finds out what became of an act on a user, by reading its row.
 *
 * 1. The row names the actor, and a time at which the act may have been sent: `ok`. Of a change the row has the wanted state too,
 *    and had another one before.
 * 2. The user was made before the intent, or the changed row has the version from before it: `not-done`.
 * 3. Else `unknown`: another account's change hides whether this act took effect, another client may have deleted a missing row, and
 *    no row shows whether a password was set, nor who set the first user up.
 *
 * Does not guarantee: to distinguish two acts of one actor on one user within a minute. When the second has made the row what it is,
 * the first is `ok` too, although it may not have been sent.
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
    return {
      outcome: user === null ? 'unknown' : madeOutcome(intent, user),
      after: null,
      rows: versionOf(user),
    }
  }
  return {
    elevation: elevationFollowUp(sessions),
    'sign-out': signOutFollowUp(users, sessions),
    'set-up': made,
    'user-create': made,
    'user-change': async (intent) => {
      const user = await userOf(intent)
      // Without a user in the intent it is `npm run user -- seal`: many rows, and each may have been sealed.
      if (user === null) return { outcome: 'unknown', after: null }
      const { role, disabled } = user
      return { outcome: changeOutcome(intent, user), after: { role, disabled }, rows: versionOf(user) }
    },
    password: async (intent) => ({
      outcome: 'unknown',
      after: null,
      rows: versionOf(await userOf(intent)),
    }),
  }
}

function madeOutcome(intent: AuditEntry, { createdAt, createdBy }: UserRow): string {
  if (createdAt.getTime() < Date.parse(intent.at) - sameClockMs) return 'not-done'
  return isOf(intent, createdBy, createdAt) ? 'ok' : 'unknown'
}

function changeOutcome(intent: AuditEntry, user: UserRow): string {
  const before = beforeSchema.safeParse(intent.before).data
  const wanted = stateSchema.safeParse(intent.after).data
  if (before === undefined || wanted === undefined) return 'unknown'
  if (user.version === before.userVersion) return 'not-done'
  // Where the state was the wanted one before, the actor's name may come from a new password.
  const isProof = isAs(wanted, user) && !isAs(wanted, before)
  return isProof && isOf(intent, user.changedBy, user.changedAt) ? 'ok' : 'unknown'
}

type State = z.infer<typeof stateSchema>

const isAs = (wanted: State, state: State): boolean =>
  (wanted.role === undefined || wanted.role === state.role) &&
  (wanted.disabled === undefined || wanted.disabled === state.disabled)

/** Whether the row names the actor, and a time at which the act may have been sent. */
function isOf({ actor, at }: AuditEntry, by: string | null, when: Date | null): boolean {
  if (by !== actor.username || when === null) return false
  const afterMs = when.getTime() - Date.parse(at)
  return afterMs >= -sameClockMs && afterMs <= actOverAfterIntentMs
}
