/**
 * Sign-in and elevation by single sign-on. The provider names the person and the role each time. Issuer and subject identify
 * the person; the name is only shown. Each sign-in is in the audit, refused ones too.
 */

import { safeNext } from '../../../contract/people/next-path.ts'
import type { Session } from '../../../contract/people/session.ts'
import type { SsoError } from '../../../contract/people/sso.ts'
import { newUsernameSchema } from '../../../contract/people/user.ts'
import { routes } from '../../../contract/routes.ts'
import { actorOf } from '../../audit/actor.ts'
import { auditEvent, audited } from '../../audit/audited.ts'
import { permit } from '../../http/authorise.ts'
import { HttpProblem, problemOf } from '../../http/http-problem.ts'
import type { SsoServices } from '../people-services.ts'
import { elevateSession, type From, openSession } from '../sessions/audited-sessions.ts'
import { type Opened, sessionIdHash } from '../sessions/session-row.ts'
import type { Tried } from '../sign-in/attempts.ts'
import { firstUser } from '../sign-in/first-user.ts'
import { type UserRow, userVersion } from '../user-row.ts'
import { personOf, type SsoPerson } from './claims.ts'
import type { Flow } from './flows.ts'
import type { Sso } from './sso.ts'
import { SsoFailure } from './sso-failure.ts'

export type SsoOutcome =
  | { kind: 'leads-to'; url: string; cookies: string[] }
  | { kind: 'signed-in'; opened: Opened; next: string; cookies: string[] }
  | { kind: 'refused'; code: SsoError; next: string; cookies: string[] }

/** Leads to the provider. */
export async function startSso(
  services: SsoServices,
  sso: Sso,
  { cookieHeader, requestId }: From,
  query: { next?: string | undefined; elevate?: string | undefined },
): Promise<SsoOutcome> {
  const wanted = { next: safeNext(query.next), elevate: query.elevate === 'true' }
  try {
    const { flow, challenge, cookies } = await sso.flows.begin(wanted, cookieHeader)
    return { kind: 'leads-to', url: (await sso.provider.signInUrl(flow, challenge)).href, cookies }
  } catch (thrown) {
    const { code, message } = failureOf(thrown, services, requestId)
    services.log.warn({ act: 'sso', requestId, code, detail: message }, 'single sign-on cannot begin')
    return { kind: 'refused', code, next: wanted.next, cookies: [] }
  }
}

/**
 * Where the provider leads back to. Never throws: the sign-in page says what went wrong. An answer that belongs to no
 * flow of this browser is not counted as a guess: a stranger could send it from an address that others share.
 */
export async function finishSso(
  services: SsoServices,
  sso: Sso,
  from: From,
  answer: Record<string, string>,
): Promise<SsoOutcome> {
  const found = sso.flows.find(answer.state, from.cookieHeader)
  const next = found?.next ?? '/'
  const cookies: string[] = []
  const known: Known = { person: null, session: null }
  try {
    if (found === null) throw noFlow()
    // Before the flow is used up: a person who has to wait may come back with it.
    const attempt = services.attempts.begin(await triedBy(services, from, found))
    try {
      const flow = sso.flows.take(answer.state, from.cookieHeader)
      if (flow === null) throw noFlow()
      cookies.push(sso.flows.ended(flow.state))
      const opened = await finish(services, sso, from, { flow, answer, known })
      attempt.succeeded()
      return { kind: 'signed-in', opened, next, cookies }
    } catch (thrown) {
      if (!guesses.includes(failureOf(thrown, services, from.requestId).code)) attempt.withdraw()
      throw thrown
    }
  } catch (thrown) {
    const failure = failureOf(thrown, services, from.requestId)
    noteRefusal(services, from, found, known, failure)
    return { kind: 'refused', code: failure.code, next, cookies }
  }
}

const noFlow = () =>
  new SsoFailure('sso-expired', 'The answer does not match a sign-on that this browser began.')

/** An elevation counts for its session, so that strangers do not hold it up. */
async function triedBy({ sessions }: SsoServices, from: From, { elevate }: Flow): Promise<Tried> {
  const { sessionId, address } = from
  const session = elevate && sessionId !== null ? await sessions.find(sessionId) : null
  return sessionId === null || session === null
    ? { by: 'stranger', account: null, address }
    : { by: 'session', account: session.username, session: sessionIdHash(sessionId) }
}

/** The person and the session, as far as they were known before something went wrong. */
interface Known {
  person: SsoPerson | null
  session: Session | null
}

/** The failures that a made-up answer causes. */
const guesses: readonly SsoError[] = ['sso-invalid']

async function finish(
  services: SsoServices,
  sso: Sso,
  from: From,
  { flow, answer, known }: { flow: Flow; answer: Record<string, string>; known: Known },
): Promise<Opened> {
  if (flow.elevate) known.session = await sessionToElevate(services, from)
  const claimed = personOf(await sso.provider.claims(flow, answer), sso.config)
  known.person = claimed
  const person = await namedHere(services, claimed)
  known.person = person
  // Checked before anything is written: a person who signed in as another one by mistake changes nothing.
  if (known.session !== null && known.session.username !== person.username)
    throw new SsoFailure('sso-other-person', `${person.username} signed in, for ${known.session.username}.`)
  const user = await follow(services, from, person)
  return flow.elevate
    ? elevate(services, from)
    : openSession(services, from, { via: 'sso', actor: ssoActor(from, user), user })
}

async function sessionToElevate({ sessions }: SsoServices, { sessionId }: From): Promise<Session> {
  const session = sessionId === null ? null : await sessions.find(sessionId)
  if (session !== null && session.via === 'sso') return session
  throw new SsoFailure(
    'sso-other-person',
    session === null ? 'The session has ended.' : `${session.username} has a password here.`,
  )
}

/** Makes the user, or gives it the role that the provider says now. @throws SsoFailure sso-name-taken */
async function follow({ users, audit }: SsoServices, from: From, person: SsoPerson): Promise<UserRow> {
  const { subject, username, role } = person
  const taken = () => new SsoFailure('sso-name-taken', `${username} is another person here.`)
  // The first admin may not be there yet; a provider must not be able to take the name before.
  if (username === firstUser) throw taken()
  const before = await users.find(username)
  if (before !== null && before.subject !== subject) throw taken()
  if (before !== null && before.role === role) return before
  if (before === null) await users.refuseDeleted(username, subject)
  const about = {
    act: before === null ? 'user-create' : 'user-change',
    actor: ssoActor(from, person),
    on: { kind: 'user', username },
    reason: 'The provider says so.',
    before: before && { role: before.role, userVersion: before.version },
    wanted: { role },
  } as const
  return audited(audit, from.window, about, async ({ beforeSend }) => {
    const user = await users.upsertFromSso({ subject, username, role }, beforeSend)
    if (user === 'name-taken') throw new HttpProblem('user-exists', `Another user is called ${username}.`)
    return { after: { role: user.role }, result: user, rows: [userVersion(user)] }
  }).catch((thrown) => {
    throw thrown instanceof HttpProblem && thrown.code === 'user-exists' ? taken() : thrown
  })
}

/**
 * The person under the name of their account here, found by the subject: providers change names, and some let people
 * change them. A new account gets the name of the claim, in small letters.
 * @throws SsoFailure sso-disabled: the account that sign-ins use is disabled, and the person with it; sso-no-name
 */
async function namedHere({ users }: SsoServices, person: SsoPerson): Promise<SsoPerson> {
  const accounts = await users.ofSubject(person.subject)
  const [own] = accounts
  if (own?.disabled) throw new SsoFailure('sso-disabled', `${own.username} is disabled.`)
  if (own !== undefined) return { ...person, username: own.username }
  if (await users.exists(person.username)) return person
  const parsed = newUsernameSchema.safeParse(person.username.toLowerCase())
  if (parsed.success) return { ...person, username: parsed.data }
  throw new SsoFailure(
    'sso-no-name',
    `${JSON.stringify(person.username)}: ${parsed.error.issues[0]?.message}`,
  )
}

/** With the role that the provider says now; it may have changed since the session began. */
async function elevate(services: SsoServices, from: From): Promise<Opened> {
  const session = await sessionToElevate(services, from)
  try {
    permit(routes.elevate.permission, session, services.clock)
  } catch (thrown) {
    throw new SsoFailure('sso-not-allowed', (thrown as Error).message)
  }
  return elevateSession(services, { ...from, session })
}

function noteRefusal(
  { audit, log }: SsoServices,
  from: From,
  flow: Flow | null,
  { person, session }: Known,
  { code, message }: SsoFailure,
): void {
  const { requestId, address } = from
  log.warn({ act: 'sso', requestId, code, detail: message, username: person?.username, address }, 'refused')
  // The sender has proved nothing, and so has no role here.
  const actor =
    session === null
      ? { ...ssoActor(from, { username: person?.username ?? '', role: null }) }
      : actorOf({ ...from, session })
  const act = flow?.elevate ? 'elevation' : 'sign-in'
  audit.appendUntilWritten(auditEvent(act, actor, { kind: 'console' }, 'refused', { code, detail: message }))
}

const ssoActor = <R extends Session['role'] | null>(
  { address, requestId }: From,
  { username, role }: { username: string; role: R },
) => ({ username, role, via: 'sso', address, requestId }) as const

const problemCodes: Partial<Record<HttpProblem['code'], SsoError>> = {
  'too-many-attempts': 'sso-too-many-attempts',
  'audit-unavailable': 'sso-audit-unavailable',
  'too-late': 'sso-too-late',
  'cassandra-unavailable': 'sso-cassandra-unavailable',
  'cassandra-refused': 'sso-cassandra-unavailable',
  'not-ready': 'sso-not-ready',
  'outcome-unknown': 'sso-cassandra-unavailable',
  unauthenticated: 'sso-other-person',
  'user-deleted': 'sso-user-deleted',
}

function failureOf(thrown: unknown, services: SsoServices, requestId: string): SsoFailure {
  if (thrown instanceof SsoFailure) return thrown
  const { code, message } = problemOf(thrown, services, { where: 'single sign-on', requestId })
  return new SsoFailure(problemCodes[code] ?? 'sso-failed', message, { cause: thrown })
}
