import type { Session } from '../../../contract/people/session.ts'
import type { Routes } from '../../../contract/routes.ts'
import type { Handler, Reply } from '../../http/handler.ts'
import { iso } from '../../http/instant.ts'
import { endedCookie, sessionCookie } from '../../http/request/cookie.ts'
import type { SignInServices } from '../people-services.ts'
import * as signing from '../sign-in/sign-in.ts'
import { closeAllSessions, closeOwnSession, lowerSession } from './audited-sessions.ts'
import type { Opened } from './session-row.ts'

export const getSession: Handler<Routes['getSession'], SignInServices> = async ({ session }, services) => ({
  status: 200,
  body: bodyOf(session, services),
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
  if (sessionId !== null && session.elevatedUntil !== null)
    await lowerSession(services, { ...input, sessionId })
  return { status: 200, body: bodyOf({ ...session, elevatedUntil: null }, services) }
}

export const signOut: Handler<Routes['signOut'], SignInServices> = async (input, services) => {
  if (input.query.everywhere === 'true') await closeAllSessions(services, input)
  else await closeOwnSession(services, input)
  return { status: 204, cookies: [endedCookie(services.config.publicUrl)] }
}

const bodyOf = (session: Session, { clock }: SignInServices) => ({ ...session, now: iso(clock.now().wallMs) })

/** The session and its cookie, and the cookie by which later sign-ins from this browser are known: devices.ts. */
async function withDevice(
  { opened, user }: signing.SignedIn,
  { cookieHeader }: { cookieHeader: string | null },
  services: SignInServices,
): Promise<Reply> {
  const { cookies = [], ...reply } = signedIn(opened, services)
  return { ...reply, cookies: [...cookies, await services.devices.cookie(user, cookieHeader)] }
}

/** The answer to a request that opened or elevated a session: the session, and its cookie. */
export function signedIn({ id, session }: Opened, services: SignInServices): Reply {
  const leftMs = Date.parse(session.expiresAt as string) - services.clock.now().wallMs
  const cookie = sessionCookie(id, services.config.publicUrl, Math.ceil(leftMs / 1000))
  return { status: 200, body: bodyOf(session, services), cookies: [cookie] }
}
