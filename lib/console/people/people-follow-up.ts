import { z } from 'zod'
import type { AuditEntry } from '../../contract/audit.ts'
import { roleSchema } from '../../contract/session.ts'
import type { FollowedUp, FollowUps } from '../audit/recovery/recovery.ts'
import type { Users } from './users.ts'

const wantedSchema = z.object({ role: roleSchema.optional(), disabled: z.boolean().optional() })

const found = (done: boolean, after: unknown = null): FollowedUp => ({
  outcome: done ? 'ok' : 'not-done',
  after,
})

/** Both instants are by the clock of the instance that acted. */
const sameClockMs = 1_000

/**
 * Finds out what became of an act on a user or a token, by reading its row. A user that existed before the act was not made
 * by it; users are never deleted. No row tells whether a password was set: `unknown`.
 * Does not guarantee: to tell a change that was changed again since.
 */
export function peopleFollowUps({
  users,
  apiTokens,
}: {
  users: Users
  apiTokens: { get(id: string): Promise<object | null> }
}): FollowUps {
  const userOf = async ({ on }: AuditEntry) => (on.kind === 'user' ? users.confirmed(on.username) : null)
  const tokenOf = async ({ on }: AuditEntry) => (on.kind === 'token' ? apiTokens.get(on.id) : null)
  const made = async (intent: AuditEntry) => {
    const user = await userOf(intent)
    return found(user !== null && user.createdAt.getTime() >= Date.parse(intent.at) - sameClockMs)
  }
  return {
    'set-up': made,
    'user-create': made,
    'user-change': async (intent) => {
      const user = await userOf(intent)
      const wanted = wantedSchema.safeParse(intent.after).data ?? {}
      const isDone =
        user !== null &&
        (wanted.role === undefined || wanted.role === user.role) &&
        (wanted.disabled === undefined || wanted.disabled === user.disabled)
      return found(isDone, user && { role: user.role, disabled: user.disabled })
    },
    'token-create': async (intent) => found((await tokenOf(intent)) !== null),
    'token-revoke': async (intent) => found((await tokenOf(intent)) === null),
  }
}
