import type { Routes } from '../../contract/routes.ts'
import type { Session } from '../../contract/session.ts'
import { actorOf } from '../audit/actor.ts'
import { auditEvent } from '../audit/audited.ts'
import { endedCookie, sessionCookie } from '../http/cookie.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { Handler, Reply } from '../http/router.ts'
import { iso } from '../leases/lease-json.ts'
import type { ConsoleContext } from '../start/context.ts'
import type { RowVersion } from '../store/row-versions.ts'
import * as signing from './sign-in/sign-in.ts'
import { userVersion } from './user-row.ts'

export const getSession: Handler<Routes['getSession']> = async ({ session }, context) => ({
  status: 200,
  body: told(session, context),
})

export const signIn: Handler<Routes['signIn']> = async (input, context) =>
  withDevice(await signing.signIn(context, input, input.body), input, context)

export const setUp: Handler<Routes['setUp']> = async (input, context) =>
  withDevice(await signing.setUp(context, input, input.body), input, context)

export const elevate: Handler<Routes['elevate']> = async (input, context) =>
  signedIn(await signing.elevate(context, input, input.body.password), context)

export const changeOwnPassword: Handler<Routes['changeOwnPassword']> = async (input, context) =>
  withDevice(await signing.changeOwnPassword(context, input, input.body), input, context)

export const endElevation: Handler<Routes['endElevation']> = async (input, context) => {
  const { sessionId, session } = input
  if (sessionId !== null && session.elevatedUntil !== null) {
    const row = await context.sessions.lower(sessionId)
    const event = auditEvent('elevation', actorOf(input), { kind: 'console' }, 'ended')
    context.audit.appendUntilWritten({ ...event, rows: row === null ? [] : [row] })
  }
  return { status: 200, body: told({ ...session, elevatedUntil: null }, context) }
}

/** Goes on without an audit too: a session that cannot be ended is worse. */
export const signOut: Handler<Routes['signOut']> = async (input, { sessions, audit, config }) => {
  const { sessionId, session, query } = input
  const everywhere = query.everywhere === 'true'
  const rows: RowVersion[] = []
  const user = everywhere ? await sessions.closeAll(session.username) : null
  if (user !== null) rows.push(userVersion(user))
  if (sessionId !== null) {
    await sessions.close(sessionId)
    rows.push(sessions.endedRow(sessionId))
  }
  const event = auditEvent('sign-out', actorOf(input), { kind: 'console' }, 'ok', { everywhere })
  audit.appendUntilWritten({ ...event, rows })
  return { status: 204, cookies: [endedCookie(config.publicUrl)] }
}

const told = (session: Session, { clock }: ConsoleContext) => ({ ...session, now: iso(clock.now().wallMs) })

/** The session and its cookie, and the cookie by which later sign-ins from this browser are known: devices.ts. */
async function withDevice(
  { id, user }: signing.SignedIn,
  { cookieHeader }: { cookieHeader: string | null },
  context: ConsoleContext,
): Promise<Reply> {
  const { cookies = [], ...reply } = await signedIn(id, context)
  return { ...reply, cookies: [...cookies, await context.devices.cookie(user, cookieHeader)] }
}

/** The answer to a request that opened a session: the session, and its cookie. */
export async function signedIn(id: string, context: ConsoleContext): Promise<Reply> {
  const session = await context.sessions.find(id)
  if (session === null)
    throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
  const leftMs = Date.parse(session.expiresAt as string) - context.clock.now().wallMs
  const cookie = sessionCookie(id, context.config.publicUrl, Math.ceil(leftMs / 1000))
  return { status: 200, body: told(session, context), cookies: [cookie] }
}
