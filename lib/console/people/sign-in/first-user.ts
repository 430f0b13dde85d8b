import type { Clock } from 'leasehold/time'
import { serverActor } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited, WithoutEffect } from '../../audit/audited.ts'
import { ActWindow } from '../../http/act-window.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { Log } from '../../http/log/log.ts'
import { userVersion } from '../user-row.ts'
import type { Users } from '../users.ts'
import type { SetupLink } from './setup-link.ts'

export const firstUser = 'admin'

/** What making the first user needs. */
interface FirstUserServices {
  readonly config: { readonly adminPassword?: string | undefined }
  readonly users: Users
  readonly setupLink: SetupLink
  readonly audit: AuditLog
  readonly clock: Clock
  readonly log: Log
}

/** How a person signs in after a first start. */
type FirstSignIn = { readonly kind: 'link'; readonly link: string } | { readonly kind: 'password' }

/** The line that the server prints of it; `npm start` looks for both (scripts/start/words.mjs). */
export const firstSignInLine = (first: FirstSignIn): string =>
  first.kind === 'link'
    ? `sign-in link: ${first.link}`
    : `Sign in as ${firstUser} with LEASEHOLD_ADMIN_PASSWORD.`

/**
 * @returns what to print: the one-time link, while there is no first user and LEASEHOLD_ADMIN_PASSWORD is not set; that
 * password, where this start made the first user with it. null at later starts; null too where the row of the first user
 * was deleted past the console, or dated in the future, or whether it was is not known
 */
export async function prepareFirstUser({
  config,
  users,
  setupLink,
  audit,
  clock,
  log,
}: FirstUserServices): Promise<FirstSignIn | null> {
  if (await users.exists(firstUser)) return null
  try {
    await users.refuseDeleted(firstUser, null)
  } catch (thrown) {
    if (!(thrown instanceof HttpProblem)) throw thrown
    return notMade(log, thrown)
  }
  const { adminPassword } = config
  if (adminPassword === undefined) return { kind: 'link', link: await setupLink.issue() }
  const on = { kind: 'user', username: firstUser } as const
  const about = { act: 'set-up', actor: serverActor, on, wanted: { role: 'admin' } } as const
  const isMade = await audited(audit, new ActWindow(clock), about, async ({ beforeSend }) => {
    const created = await users.create(firstUser, adminPassword, 'admin', null, { beforeSend })
    // Another instance was first.
    if (created === null) return { after: null, result: false, outcome: 'not-done' }
    return { after: { role: 'admin' }, result: true, rows: [userVersion(created)] }
  }).catch((thrown) => {
    // Another client could otherwise keep the console from starting.
    if (!(thrown instanceof WithoutEffect)) throw thrown
    return notMade(log, thrown)
  })
  return isMade ? { kind: 'password' } : null
}

function notMade(log: Log, { code, message }: HttpProblem): null {
  log.error({ problem: code }, `The user ${firstUser} is not made: ${message}`)
  return null
}
