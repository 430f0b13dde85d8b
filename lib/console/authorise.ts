import type { Route } from '../contract/routes.ts'
import { isAtLeast, type Session } from '../contract/session.ts'
import type { ConsoleContext } from './context.ts'
import { HttpProblem } from './http-problem.ts'

/** The token of a program; null: the request has none. */
export function bearerOf(request: Request): string | null {
  return request.headers.get('authorization')?.match(/^Bearer +(\S+)\s*$/i)?.[1] ?? null
}

/** Who asks, if they may do this at all. @throws HttpProblem */
export async function authorise(
  route: Route,
  by: { bearer: string | null; sessionId: string | null },
  { sessions, apiTokens }: ConsoleContext,
): Promise<Session> {
  const least = route.role as Exclude<Route['role'], 'public'>
  if (by.bearer !== null) {
    const client = await apiTokens.find(by.bearer)
    if (client === null)
      throw new HttpProblem(
        'unauthenticated',
        'This token is not valid, or was revoked.',
        {},
        bearerChallenge,
      )
    if (route.clients === true) return client
    throw new HttpProblem('forbidden', `Programs may not do this; it needs a person with the role ${least}.`)
  }
  const session = by.sessionId === null ? null : await sessions.find(by.sessionId)
  if (session === null)
    throw new HttpProblem(
      'unauthenticated',
      'Sign in first (POST /v1/session), or send a token (Authorization: Bearer …).',
      {},
      bearerChallenge,
    )
  if (!isAtLeast(session, least))
    throw new HttpProblem(
      'forbidden',
      `This needs the role ${least}; ${session.username} is ${session.role}.`,
    )
  return session
}

const bearerChallenge = { 'WWW-Authenticate': 'Bearer realm="leasehold"' }
