import { z } from 'zod'
import type { AuditEntry } from '../contract/audit.ts'
import { roleSchema } from '../contract/session.ts'
import type { ConsoleContext } from './context.ts'
import type { FollowedUp, FollowUps } from './recovery.ts'

const wantedSchema = z.object({ role: roleSchema.optional(), disabled: z.boolean().optional() })

const found = (done: boolean, after: unknown = null): FollowedUp => ({
  outcome: done ? 'ok' : 'not-done',
  after,
})

/**
 * What became of an act on a user or a token: told from what is there now. A change of a user that was decided is first
 * carried out, as it would be later anyway: else it would take effect after it was called not done. Whether a password was set is in no row that
 * would say it: `unknown`. A user that is not there was not made, or is not there any more: nobody is ever deleted.
 */
export function peopleFollowUps({
  users,
  apiTokens,
}: Pick<ConsoleContext, 'users' | 'apiTokens'>): FollowUps {
  const userOf = async ({ on }: AuditEntry) => (on.kind === 'user' ? users.settled(on.username) : null)
  const tokenOf = async ({ on }: AuditEntry) => (on.kind === 'token' ? apiTokens.get(on.id) : null)
  const made = async (intent: AuditEntry) => found((await userOf(intent)) !== null)
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
