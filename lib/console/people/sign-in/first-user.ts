import type { Clock } from 'leasehold/time'
import { serverActor } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited } from '../../audit/audited.ts'
import { ActWindow } from '../../http/act-window.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { Log } from '../../http/log/log.ts'
import { userVersion } from '../user-row.ts'
import type { Users } from '../users.ts'
import type { SetupLink } from './setup-link.ts'

export const firstUser = 'admin'

/** What making the first user needs. */
interface FirstUserServices {
  readonly config: { readonly adminPassword?: string }
  readonly users: Users
  readonly setupLink: SetupLink
  readonly audit: AuditLog
  readonly clock: Clock
  readonly log: Log
}

/**
 * @returns the one-time link to print, while there is no first user and LEASEHOLD_ADMIN_PASSWORD is not set; null too where
 * the row of the first user was deleted past the console, or whether it was is not known
 */
export async function prepareFirstUser({
  config,
  users,
  setupLink,
  audit,
  clock,
  log,
}: FirstUserServices): Promise<string | null> {
  if (await users.exists(firstUser)) return null
  try {
    await users.refuseDeleted(firstUser, null)
  } catch (thrown) {
    if (!(thrown instanceof HttpProblem)) throw thrown
    log.error({ problem: thrown.code }, `The user ${firstUser} is not made: ${thrown.message}`)
    return null
  }
  const { adminPassword } = config
  if (adminPassword === undefined) return setupLink.issue()
  const on = { kind: 'user', username: firstUser } as const
  const about = { act: 'set-up', actor: serverActor, on, wanted: { role: 'admin' } } as const
  await audited(audit, new ActWindow(clock), about, async () => {
    const created = await users.create(firstUser, adminPassword, 'admin')
    // Another instance was first.
    if (created === null) return { after: null, result: undefined, outcome: 'not-done' }
    return { after: { role: 'admin' }, result: undefined, rows: [userVersion(created)] }
  })
  return null
}
