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

/** Both are by the clock of the instance that did it. */
const sameClockMs = 1_000

/**
 * What became of an act on a user or a token: told from what is there now. A change of a user that was decided is first
 * carried out, as it would be later anyway: else it would take effect after it was called not done. A user who was there
 * before was not made by it; nobody is ever deleted. Whether a password was set is in no row that would say it: `unknown`.
 * Does not guarantee: to tell a change that somebody else has changed again since.
 */
export function peopleFollowUps({
  users,
  apiTokens,
}: {
  users: Users
  apiTokens: { get(id: string): Promise<object | null> }
}): FollowUps {
  const userOf = async ({ on }: AuditEntry) => (on.kind === 'user' ? users.settled(on.username) : null)
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
