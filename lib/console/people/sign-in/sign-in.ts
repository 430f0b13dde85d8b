/**
 * The ways in, and up. Each one is in the audit, refused ones too, before anything is given out. What is refused is
 * refused in the same words and after about the same time, whatever is wrong: nobody learns here who exists. Of a name
 * that nobody has, the audit keeps no more than `maskedName`.
 */

import type { AuditEvent } from '../../../contract/audit.ts'
import { routes } from '../../../contract/routes.ts'
import type { Session } from '../../../contract/session.ts'
import { actorOf } from '../../audit/actor.ts'
import { auditEvent, audited, written } from '../../audit/audited.ts'
import { permit } from '../../http/authorise.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { SignInServices } from '../people-services.ts'
import { sessionIdHash } from '../session-row.ts'
import { noPassword } from '../user-acts.ts'
import type { Tried } from './attempts.ts'
import { firstUser } from './first-user.ts'
import type { Asker } from './password-work.ts'
import { maskedName } from './typed-name.ts'

/** Where a request comes from, and under which session id it came, if under any. */
interface From {
  address: string | null
  requestId: string
  sessionId: string | null
}
type Signed = From & { session: Session }

/** @returns the new session id */
export async function signIn(
  services: SignInServices,
  { address, requestId, sessionId }: From,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const { users, sessions, audit, log } = services
  const refusal = async () => {
    const exists = await users.exists(username).catch(() => false)
    const name = exists ? username : maskedName(username)
    const actor = { username: name, role: null, via: 'password', address, requestId } as const
    return auditEvent('sign-in', actor, { kind: 'console' }, 'refused')
  }
  const tried = { by: 'stranger', account: username, address } as const
  const user = await judged(services, tried, refusal, (asker) => users.verify(username, password, asker))
  if (user === null) throw new HttpProblem('wrong-credentials', 'That name and password do not go together.')
  const actor = { username, role: user.role, via: 'password', address, requestId } as const
  const id = await sessions.open({ username, via: 'password', address, epoch: user.epoch })
  try {
    await written(audit, auditEvent('sign-in', actor, { kind: 'console' }, 'ok'))
  } catch (thrown) {
    await sessions.close(id).catch(() => {})
    throw thrown
  }
  // Who signs in anew has no use for the session before.
  if (sessionId !== null)
    await sessions
      .close(sessionId)
      .catch((error) => log.warn({ error }, 'a session before could not be ended'))
  return id
}

/**
 * Counts a try, and writes down one that is refused: because it was wrong (null), or because there were too many.
 * @param refusal made after the answer: what it looks up tells nobody by its time who exists
 */
async function judged<T>(
  { attempts, audit, log }: SignInServices,
  tried: Tried,
  refusal: () => Promise<AuditEvent>,
  work: (asker: Asker) => Promise<T | null>,
): Promise<T | null> {
  const note = (reason: string) =>
    refusal().then(
      (event) => audit.appendUntilWritten({ ...event, reason }),
      (error) => log.error({ error }, 'a refusal could not be written down'),
    )
  try {
    const found = await attempts.judge(tried, work)
    if (found === null) void note('Wrong, or of somebody who may not sign in.')
    return found
  } catch (thrown) {
    if (thrown instanceof HttpProblem) void note(thrown.message)
    throw thrown
  }
}

/** The first password of all, with the one-time link. @returns the new session id */
export async function setUp(
  services: SignInServices,
  { address, requestId }: From,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { setupLink, users, sessions, audit } = services
  const actor = { username: firstUser, role: null, via: 'link', address, requestId } as const
  const on = { kind: 'user', username: firstUser } as const
  const refusal = async () => auditEvent('refusal', actor, { kind: 'route', route: 'setUp' }, 'refused')
  const tried = { by: 'stranger', account: 'one-time link', address } as const
  const accepted = await judged(services, tried, refusal, async () => setupLink.accepts(token) || null)
  if (accepted === null)
    throw new HttpProblem(
      'setup-link-invalid',
      'This link does not work: it was used, or the server was started again since and printed a new one.',
    )
  const about = { act: 'set-up', actor, on, wanted: { role: 'admin' } } as const
  const user = await audited(audit, about, async () => {
    const created = await users.create(firstUser, password, 'admin')
    setupLink.revoke()
    if (created === null)
      throw new HttpProblem(
        'setup-link-invalid',
        `This link was used: the user ${firstUser} has a password. Sign in with it.`,
      )
    return { after: { role: 'admin' }, result: created }
  })
  return sessions.open({ username: firstUser, via: 'link', address, epoch: user.epoch })
}

/** Opens what needs an elevation, for whoever gives their password again. @returns the new session id */
export async function elevate(services: SignInServices, from: Signed, password: string): Promise<string> {
  const { session } = from
  permit(routes.elevate.permission, session)
  await checkOwnPassword(services, from, password, 'elevation')
  const about = { act: 'elevation', actor: actorOf(from), on: { kind: 'console' } } as const
  return audited(services.audit, about, async () => {
    const id = from.sessionId === null ? null : await services.sessions.elevate(from.sessionId)
    if (id === null)
      throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
    return { after: null, result: id }
  })
}

/** A new password of one's own: every other session ends. @returns the id of the one that takes this one's place */
export async function changeOwnPassword(
  services: SignInServices,
  from: Signed,
  { current, password }: { current: string; password: string },
): Promise<string> {
  const { users, sessions, audit } = services
  const { session, address } = from
  const { username } = session
  permit(routes.changeOwnPassword.permission, session)
  const { epoch } = await checkOwnPassword(services, from, current, 'password')
  const about = { act: 'password', actor: actorOf(from), on: { kind: 'user', username } } as const
  const changed = await audited(audit, about, async () => {
    const outcome = await users.setPassword(username, password, epoch)
    if (outcome.kind !== 'changed') throw wrongPassword()
    return { after: null, result: outcome.after }
  })
  return sessions.open({ username, via: 'password', address, epoch: changed.epoch })
}

async function checkOwnPassword(
  services: SignInServices,
  from: Signed,
  password: string,
  act: 'elevation' | 'password',
) {
  const { users } = services
  const { username } = from.session
  if ((await users.find(username))?.passwordHash === null) throw noPassword(username)
  const refusal = async () => auditEvent(act, actorOf(from), { kind: 'user', username }, 'refused')
  const tried = { by: 'session', account: username, session: sessionIdHash(from.sessionId ?? '') } as const
  const user = await judged(services, tried, refusal, (asker) => users.verify(username, password, asker))
  if (user === null) throw wrongPassword()
  return user
}

const wrongPassword = () => new HttpProblem('wrong-credentials', 'That is not your password.')
