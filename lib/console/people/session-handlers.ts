import type { Routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import { actorOf } from '../audit/actor.ts'
import { auditEvent } from '../audit/audited.ts'
import { endedCookie, sessionCookie } from '../http/cookie.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { Handler, Reply } from '../http/router.ts'
import { iso } from '../leases/lease-json.ts'
import type { ConsoleContext } from '../start/context.ts'
import * as signing from './sign-in/sign-in.ts'

export const getSession: Handler<Routes['getSession']> = async ({ session }, context) => ({
  status: 200,
  body: told(session, context),
})

export const signIn: Handler<Routes['signIn']> = async (input, context) =>
  signedIn(await signing.signIn(context, input, input.body), context)

export const setUp: Handler<Routes['setUp']> = async (input, context) =>
  signedIn(await signing.setUp(context, input, input.body), context)

export const elevate: Handler<Routes['elevate']> = async (input, context) =>
  signedIn(await signing.elevate(context, input, input.body.password), context)

export const changeOwnPassword: Handler<Routes['changeOwnPassword']> = async (input, context) =>
  signedIn(await signing.changeOwnPassword(context, input, input.body), context)

export const endElevation: Handler<Routes['endElevation']> = async (input, context) => {
  const { sessionId, session } = input
  if (sessionId !== null && session.elevatedUntil !== null) {
    await context.sessions.lower(sessionId)
    const actor = actorOf(input)
    context.audit.appendUntilWritten(auditEvent('elevation', actor, { kind: 'console' }, 'ended'))
  }
  return { status: 200, body: told({ ...session, elevatedUntil: null }, context) }
}

/** Never refused for want of an audit: a session that cannot be ended is worse. */
export const signOut: Handler<Routes['signOut']> = async (input, { sessions, audit, config }) => {
  const { sessionId, session, query } = input
  const everywhere = query.everywhere === 'true'
  if (everywhere) await sessions.closeAll(session.username)
  if (sessionId !== null) await sessions.close(sessionId)
  audit.appendUntilWritten(auditEvent('sign-out', actorOf(input), { kind: 'console' }, 'ok', { everywhere }))
  return { status: 204, cookies: [endedCookie(config.publicUrl)] }
}

const told = (session: Session, { clock }: ConsoleContext) => ({ ...session, now: iso(clock.now().wallMs) })

/** The answer to whoever has a new session id: the session, and the cookie. */
export async function signedIn(id: string, context: ConsoleContext): Promise<Reply> {
  const session = await context.sessions.find(id)
  if (session === null)
    throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
  const leftMs = Date.parse(session.expiresAt as string) - context.clock.now().wallMs
  const cookie = sessionCookie(id, context.config.publicUrl, Math.ceil(leftMs / 1000))
  return { status: 200, body: told(session, context), cookies: [cookie] }
}
