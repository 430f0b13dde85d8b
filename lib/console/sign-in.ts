/**
 * The ways in, and up. Each one is in the audit, refused ones too, before anything is given out. What is refused is
 * refused in the same words and after about the same time, whatever is wrong: nobody learns here who exists.
 */
import { routes } from '../contract/routes.ts'
import type { Session } from '../contract/session.ts'
import { actorOf } from './actor.ts'
import { auditEvent, audited, written } from './audited.ts'
import { permit } from './authorise.ts'
import type { ConsoleContext } from './context.ts'
import { firstUser } from './first-user.ts'
import { HttpProblem } from './http-problem.ts'
import { noPassword } from './user-acts.ts'

/** Where a request comes from, and under which session id it came, if under any. */
interface From {
  address: string | null
  requestId: string
  sessionId: string | null
}
type Signed = From & { session: Session }

/** @returns the new session id */
export async function signIn(
  context: ConsoleContext,
  { address, requestId, sessionId }: From,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const { users, sessions, audit, log } = context
  const user = await users.verify(username, password)
  const actor = { username, role: user?.role ?? null, via: 'password', address, requestId } as const
  if (user === null) {
    audit.appendUntilWritten(auditEvent('sign-in', actor, { kind: 'console' }, 'refused'))
    throw new HttpProblem('wrong-credentials', 'That name and password do not go together.')
  }
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

/** The first password of all, with the one-time link. @returns the new session id */
export async function setUp(
  { setupLink, users, sessions, audit }: ConsoleContext,
  { address, requestId }: From,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const actor = { username: firstUser, role: null, via: 'link', address, requestId } as const
  const on = { kind: 'user', username: firstUser } as const
  if (!setupLink.accepts(token)) {
    audit.appendUntilWritten(auditEvent('refusal', actor, { kind: 'route', route: 'setUp' }, 'refused'))
    throw new HttpProblem(
      'setup-link-invalid',
      'This link does not work: it was used, or the server was started again since and printed a new one.',
    )
  }
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
export async function elevate(context: ConsoleContext, from: Signed, password: string): Promise<string> {
  const { session } = from
  permit(routes.elevate.permission, session)
  await checkOwnPassword(context, from, password, 'elevation')
  const about = { act: 'elevation', actor: actorOf(from), on: { kind: 'console' } } as const
  return audited(context.audit, about, async () => {
    const id = from.sessionId === null ? null : await context.sessions.elevate(from.sessionId)
    if (id === null)
      throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
    return { after: null, result: id }
  })
}

/** A new password of one's own: every other session ends. @returns the id of the one that takes this one's place */
export async function changeOwnPassword(
  context: ConsoleContext,
  from: Signed,
  { current, password }: { current: string; password: string },
): Promise<string> {
  const { users, sessions, audit } = context
  const { session, address } = from
  const { username } = session
  permit(routes.changeOwnPassword.permission, session)
  const { epoch } = await checkOwnPassword(context, from, current, 'password')
  const about = { act: 'password', actor: actorOf(from), on: { kind: 'user', username } } as const
  const changed = await audited(audit, about, async () => {
    const outcome = await users.setPassword(username, password, epoch)
    if (outcome.kind !== 'changed') throw wrongPassword()
    return { after: null, result: outcome.after }
  })
  return sessions.open({ username, via: 'password', address, epoch: changed.epoch })
}

async function checkOwnPassword(
  { users, audit }: ConsoleContext,
  from: Signed,
  password: string,
  act: 'elevation' | 'password',
) {
  const { username } = from.session
  if ((await users.find(username))?.passwordHash === null) throw noPassword(username)
  const user = await users.verify(username, password)
  if (user !== null) return user
  audit.appendUntilWritten(auditEvent(act, actorOf(from), { kind: 'user', username }, 'refused'))
  throw wrongPassword()
}

const wrongPassword = () => new HttpProblem('wrong-credentials', 'That is not your password.')
