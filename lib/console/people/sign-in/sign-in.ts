/**
 * Sign-in and elevation. The audit has an entry for each one, refused ones too, before a session is given out. A refusal
 * has the same words and takes about the same time, whatever is wrong, so that it does not tell which users exist. Of an
 * unknown name the audit keeps no more than `maskedName`.
 */

import type { AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import { routes } from '../../../contract/routes.ts'
import { actorOf } from '../../audit/actor.ts'
import { auditEvent, audited } from '../../audit/audited.ts'
import { afterAct } from '../../http/after-act.ts'
import { permit } from '../../http/authorise.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { SignInServices } from '../people-services.ts'
import { elevateSession, type From, openSession } from '../sessions/audited-sessions.ts'
import { type Opened, sessionIdHash } from '../sessions/session-row.ts'
import { noPassword } from '../user-acts.ts'
import { type UserRow, userVersion } from '../user-row.ts'
import type { Tried } from './attempts.ts'
import { firstUser } from './first-user.ts'
import type { Asker } from './password-work.ts'
import { maskedName } from './typed-name.ts'

type Signed = From & { session: Session }

/** A session that a password opened: the browser gets one cookie for the session and one for the device. */
export interface SignedIn {
  opened: Opened
  user: UserRow
}

export async function signIn(
  services: SignInServices,
  from: From,
  { username, password }: { username: string; password: string },
): Promise<SignedIn> {
  const { users, devices } = services
  const { address, requestId, cookieHeader } = from
  const refusal = async () => {
    const exists = await users.exists(username).catch(() => false)
    const name = exists ? username : maskedName(username)
    const actor = { username: name, role: null, via: 'password', address, requestId } as const
    return auditEvent('sign-in', actor, { kind: 'console' }, 'refused')
  }
  const device = await devices.find(username, cookieHeader, (name) => users.find(name))
  const tried: Tried =
    device === null
      ? { by: 'stranger', account: username, address }
      : { by: 'device', account: username, device }
  const user = await judged(services, tried, refusal, (asker) => users.verify(username, password, asker))
  if (user === null) throw new HttpProblem('wrong-credentials', 'Wrong user name or password.')
  const actor = { username, role: user.role, via: 'password', address, requestId } as const
  return { opened: await openSession(services, from, { via: 'password', actor, user }), user }
}

/**
 * Counts a try, and writes a refused one into the audit: the password was wrong (null), or there were too many tries.
 * @param refusal called after the answer, so that the time it takes does not tell which users exist
 * @param wrong why a try is refused for which `work` returns null
 */
async function judged<T>(
  services: SignInServices,
  tried: Tried,
  refusal: () => Promise<AuditEvent>,
  work: (asker: Asker) => Promise<T | null>,
  wrong = 'The password is wrong, or this user may not sign in.',
): Promise<T | null> {
  try {
    const found = await services.attempts.judge(tried, work)
    if (found === null) void note(services, refusal, wrong)
    return found
  } catch (thrown) {
    if (thrown instanceof HttpProblem) void note(services, refusal, thrown.message)
    throw thrown
  }
}

/** Writes a refusal into the audit, in the background. */
const note = ({ audit, log }: SignInServices, refusal: () => Promise<AuditEvent>, reason: string) =>
  refusal().then(
    (event) => audit.appendUntilWritten({ ...event, reason }),
    (error) => log.error({ error }, 'a refusal could not be written down'),
  )

/** The first password of all, with the one-time link. @throws StatementUnknownError as `changeOwnPassword` */
export async function setUp(
  services: SignInServices,
  { address, requestId, window }: From,
  { token, password }: { token: string; password: string },
): Promise<SignedIn> {
  const { setupLink, users, sessions, audit } = services
  const sender = { role: null, via: 'link', address, requestId } as const
  const { method, path } = routes.setUp
  // A link says nothing of who brings it.
  const stranger = { ...sender, username: '' }
  const refusal = async () =>
    auditEvent('refusal', stranger, { kind: 'route', route: `${method} ${path}` }, 'refused')
  const tried = { by: 'stranger', account: 'one-time link', address } as const
  const accepts = async () => (await setupLink.accepts(token)) || null
  const invalid = invalidLink()
  if ((await judged(services, tried, refusal, accepts, invalid.message)) === null) throw invalid
  // Looked up before the act, which the audit would show as one of the first user.
  if (await users.exists(firstUser)) {
    const used = usedLink()
    void note(services, refusal, used.message)
    throw used
  }
  const actor = { ...sender, username: firstUser }
  const on = { kind: 'user', username: firstUser } as const
  const about = { act: 'set-up', actor, on, wanted: { role: 'admin' } } as const
  const user = await audited(audit, window, about, async ({ beforeSend }) => {
    const created = await users.create(firstUser, password, 'admin', null, { beforeSend })
    // Another request was first.
    if (created === null) throw usedLink()
    return { after: { role: 'admin' }, result: created, rows: [userVersion(created)] }
  })
  const done = `The password of ${firstUser} was set, but no session could be opened. Sign in with it.`
  const opened = await afterAct(done, () => sessions.open(user, { via: 'link', address }))
  return { opened, user }
}

const invalidLink = () =>
  new HttpProblem(
    'setup-link-invalid',
    'This link is not valid, or has expired. Until a password is set, another start of the server, or `npm run user -- link`, prints a new one.',
  )

const usedLink = () =>
  new HttpProblem(
    'setup-link-invalid',
    `This link was used: the user ${firstUser} has a password. Sign in with it.`,
  )

/** Elevates the session of a user who confirms the password. */
export async function elevate(services: SignInServices, from: Signed, password: string): Promise<Opened> {
  const { session } = from
  permit(routes.elevate.permission, session, services.clock)
  await checkOwnPassword(services, from, password, 'elevation')
  return elevateSession(services, from)
}

/**
 * A new password for the signed-in user: all of the user's sessions end, and a new one is opened.
 * @throws StatementUnknownError also where the password was changed, and Cassandra did not answer then
 */
export async function changeOwnPassword(
  services: SignInServices,
  from: Signed,
  { current, password }: { current: string; password: string },
): Promise<SignedIn> {
  const { users, sessions, audit, clock } = services
  const { session, address, window } = from
  const { username } = session
  permit(routes.changeOwnPassword.permission, session, clock)
  const { epoch } = await checkOwnPassword(services, from, current, 'password')
  const about = { act: 'password', actor: actorOf(from), on: { kind: 'user', username } } as const
  const user = await audited(audit, window, about, async ({ beforeSend }) => {
    const outcome = await users.setPassword(username, password, { epoch, by: username, beforeSend })
    if (outcome.kind !== 'changed') throw wrongPassword()
    return { after: null, result: outcome.after, rows: [userVersion(outcome.after)] }
  })
  const done =
    'The password was changed, and all your sessions have ended, but no new one could be opened. Sign in with the new password.'
  const opened = await afterAct(done, () => sessions.open(user, { via: 'password', address }))
  return { opened, user }
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

const wrongPassword = () => new HttpProblem('wrong-credentials', 'Wrong password.')
