import type { Routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import { actorOf } from '../audit/actor.ts'
import { auditEvent } from '../audit/audited.ts'
import type { Handler, Reply } from '../http/handler.ts'
import { HttpProblem } from '../http/http-problem.ts'
import { iso } from '../http/instant.ts'
import { endedCookie, sessionCookie } from '../http/request/cookie.ts'
import type { SignInServices } from './people-services.ts'
import * as signing from './sign-in/sign-in.ts'

export const getSession: Handler<Routes['getSession'], SignInServices> = async ({ session }, services) => ({
  status: 200,
  body: told(session, services),
})

export const signIn: Handler<Routes['signIn'], SignInServices> = async (input, services) =>
  signedIn(await signing.signIn(services, input, input.body), services)

export const setUp: Handler<Routes['setUp'], SignInServices> = async (input, services) =>
  signedIn(await signing.setUp(services, input, input.body), services)

export const elevate: Handler<Routes['elevate'], SignInServices> = async (input, services) =>
  signedIn(await signing.elevate(services, input, input.body.password), services)

export const changeOwnPassword: Handler<Routes['changeOwnPassword'], SignInServices> = async (
  input,
  services,
) => signedIn(await signing.changeOwnPassword(services, input, input.body), services)

export const endElevation: Handler<Routes['endElevation'], SignInServices> = async (input, services) => {
  const { sessionId, session } = input
  if (sessionId !== null && session.elevatedUntil !== null) {
    await services.sessions.lower(sessionId)
    const actor = actorOf(input)
    services.audit.appendUntilWritten(auditEvent('elevation', actor, { kind: 'console' }, 'ended'))
  }
  return { status: 200, body: told({ ...session, elevatedUntil: null }, services) }
}

/** Never refused for want of an audit: a session that cannot be ended is worse. */
export const signOut: Handler<Routes['signOut'], SignInServices> = async (
  input,
  { sessions, audit, config },
) => {
  const { sessionId, session, query } = input
  const everywhere = query.everywhere === 'true'
  if (everywhere) await sessions.closeAll(session.username)
  if (sessionId !== null) await sessions.close(sessionId)
  audit.appendUntilWritten(auditEvent('sign-out', actorOf(input), { kind: 'console' }, 'ok', { everywhere }))
  return { status: 204, cookies: [endedCookie(config.publicUrl)] }
}

const told = (session: Session, { clock }: SignInServices) => ({ ...session, now: iso(clock.now().wallMs) })

/** The answer to whoever has a new session id: the session, and the cookie. */
export async function signedIn(id: string, services: SignInServices): Promise<Reply> {
  const session = await services.sessions.find(id)
  if (session === null)
    throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
  const leftMs = Date.parse(session.expiresAt as string) - services.clock.now().wallMs
  const cookie = sessionCookie(id, services.config.publicUrl, Math.ceil(leftMs / 1000))
  return { status: 200, body: told(session, services), cookies: [cookie] }
}
