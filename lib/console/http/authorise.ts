import { type Permission, type Refusal, refusalOf } from '../../contract/permission.ts'
import type { Route } from '../../contract/routes.ts'
import { elevationSeconds, type Session } from '../../contract/session.ts'
import type { ApiRequest } from './adapters/api-request.ts'
import { HttpProblem } from './http-problem.ts'

/** The token of a program; null: the request has none. */
export function bearerOf(request: ApiRequest): string | null {
  return request.headers.get('authorization')?.match(/^Bearer +(\S+)\s*$/i)?.[1] ?? null
}

/** What a request brings along to say who it is from. */
export interface Credentials {
  bearer: string | null
  sessionId: string | null
}

/** Where credentials are looked up. `use: false`: only looked at, which keeps no session alive, and is no use of a token. */
export interface CredentialChecks {
  readonly sessions: { find(id: string, options?: { use?: boolean }): Promise<Session | null> }
  readonly apiTokens: { find(token: string, options?: { use?: boolean }): Promise<Session | null> }
}

/**
 * Who asks.
 * @param options `use: false`: only looked at, which keeps no session alive, and is no use of a token
 * @throws HttpProblem when nobody knows
 */
export async function identify(
  { bearer, sessionId }: Credentials,
  { sessions, apiTokens }: CredentialChecks,
  options: { use?: boolean } = {},
): Promise<Session> {
  if (bearer !== null) {
    const program = await apiTokens.find(bearer, options)
    if (program !== null) return program
    throw new HttpProblem('unauthenticated', 'This token is not valid, or was revoked.', {}, bearerChallenge)
  }
  const session = sessionId === null ? null : await sessions.find(sessionId, options)
  if (session !== null) return session
  throw new HttpProblem(
    'unauthenticated',
    'Sign in first (POST /v1/session), or send a token (Authorization: Bearer …).',
    {},
    bearerChallenge,
  )
}

const bearerChallenge = { 'WWW-Authenticate': 'Bearer realm="leasehold"' }

/**
 * Whether `session` may do what needs `permission`. Asked by the router for every request, and by services again
 * before they act. @throws HttpProblem
 */
export function permit(permission: Permission, session: Session, name?: string): void {
  const refusal = refusalOf(permission, session, { ...(name !== undefined && { name }), nowMs: Date.now() })
  if (refusal === null) return
  throw new HttpProblem(
    refusal === 'elevation' ? 'elevation-needed' : 'forbidden',
    refusalText(refusal, permission, session, name),
  )
}

function refusalText(refusal: Refusal, permission: Permission, session: Session, name = ''): string {
  switch (refusal) {
    case 'role':
      return `This needs the role ${permission.people}; ${session.username} is ${session.role}.`
    case 'elevation':
      return `This needs an elevation: give your password again, which is good for ${elevationSeconds / 60} minutes.`
    case 'programs':
      return `Programs may not do this; it needs a person with the role ${permission.people}.`
    case 'token-role':
      return `This needs a token with the role ${permission.programs}; ${session.username} is ${session.scope?.role}.`
    case 'scope': {
      const prefixes = session.scope?.prefixes.map((prefix) => JSON.stringify(prefix)).join(', ')
      return permission.people !== 'anybody' && 'scopedBy' in permission && permission.scopedBy === 'prefix'
        ? `The token ${session.username} is for names that begin with ${prefixes}: ask for them, with ?prefix=.`
        : `The token ${session.username} is for names that begin with ${prefixes}, not for ${JSON.stringify(name)}.`
    }
  }
}

/** The name in a request to which the prefixes of a token apply; undefined: there is none. */
export function scopedName(
  { permission }: Route,
  params: Record<string, string>,
  query: URLSearchParams,
): string | undefined {
  if (!('scopedBy' in permission)) return undefined
  const { scopedBy } = permission
  return scopedBy === 'prefix' ? (query.get('prefix') ?? '') : params[scopedBy]
}
