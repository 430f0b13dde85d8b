import type { Session } from '../../../contract/people/session.ts'
import type { Routes } from '../../../contract/routes.ts'
import { actorOf } from '../../audit/actor.ts'
import { auditEvent } from '../../audit/audited.ts'
import type { Handler, Reply } from '../../http/handler.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { iso } from '../../http/instant.ts'
import { endedCookie, sessionCookie } from '../../http/request/cookie.ts'
import type { RowVersion } from '../../store/row-versions.ts'
import type { SignInServices } from '../people-services.ts'
import * as signing from '../sign-in/sign-in.ts'
import { userVersion } from '../user-row.ts'

export const getSession: Handler<Routes['getSession'], SignInServices> = async ({ session }, services) => ({
  status: 200,
  body: told(session, services),
})

export const signIn: Handler<Routes['signIn'], SignInServices> = async (input, services) =>
  withDevice(await signing.signIn(services, input, input.body), input, services)

export const setUp: Handler<Routes['setUp'], SignInServices> = async (input, services) =>
  withDevice(await signing.setUp(services, input, input.body), input, services)

export const elevate: Handler<Routes['elevate'], SignInServices> = async (input, services) =>
  signedIn(await signing.elevate(services, input, input.body.password), services)

export const changeOwnPassword: Handler<Routes['changeOwnPassword'], SignInServices> = async (
  input,
  services,
) => withDevice(await signing.changeOwnPassword(services, input, input.body), input, services)

export const endElevation: Handler<Routes['endElevation'], SignInServices> = async (input, services) => {
  const { sessionId, session } = input
  if (sessionId !== null && session.elevatedUntil !== null) {
    const row = await services.sessions.lower(sessionId)
    const event = auditEvent('elevation', actorOf(input), { kind: 'console' }, 'ended')
    services.audit.appendUntilWritten({ ...event, rows: row === null ? [] : [row] })
  }
  return { status: 200, body: told({ ...session, elevatedUntil: null }, services) }
}

/** Goes on without an audit too: a session that cannot be ended is worse. */
export const signOut: Handler<Routes['signOut'], SignInServices> = async (
  input,
  { sessions, audit, config },
) => {
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

const told = (session: Session, { clock }: SignInServices) => ({ ...session, now: iso(clock.now().wallMs) })

/** The session and its cookie, and the cookie by which later sign-ins from this browser are known: devices.ts. */
async function withDevice(
  { id, user }: signing.SignedIn,
  { cookieHeader }: { cookieHeader: string | null },
  services: SignInServices,
): Promise<Reply> {
  const { cookies = [], ...reply } = await signedIn(id, services)
  return { ...reply, cookies: [...cookies, await services.devices.cookie(user, cookieHeader)] }
}

/** The answer to a request that opened a session: the session, and its cookie. */
export async function signedIn(id: string, services: SignInServices): Promise<Reply> {
  const session = await services.sessions.find(id)
  if (session === null)
    throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
  const leftMs = Date.parse(session.expiresAt as string) - services.clock.now().wallMs
  const cookie = sessionCookie(id, services.config.publicUrl, Math.ceil(leftMs / 1000))
  return { status: 200, body: told(session, services), cookies: [cookie] }
}
