import type { Clock } from 'leasehold/time'
import { elevationSeconds } from '../../contract/people/rights.ts'
import type { Session } from '../../contract/people/session.ts'
import { type Permission, type Refusal, refusalOf } from '../../contract/permission.ts'
import type { Route } from '../../contract/routes.ts'
import type { ApiRequest } from './adapters/api-request.ts'
import { HttpProblem } from './http-problem.ts'
import type { RequestMeter } from './log/request-meter.ts'

/** The token of a program; null: the request has none. */
export function bearerOf(request: ApiRequest): string | null {
  return request.headers.get('authorization')?.match(/^Bearer +(\S+)\s*$/i)?.[1] ?? null
}

/** The credentials of a request. */
export interface Credentials {
  bearer: string | null
  sessionId: string | null
}

/** How credentials are looked up. */
interface LookOptions {
  /** false: only looked at, which keeps no session alive, and is no use of a token. */
  use?: boolean
}

/** Looks credentials up. */
export interface CredentialChecks {
  readonly sessions: { find(id: string, options?: LookOptions): Promise<Session | null> }
  readonly apiTokens: { find(token: string, options?: LookOptions): Promise<Session | null> }
  /** Left out: nothing counts. */
  readonly meter?: RequestMeter
}

/**
 * The sender of a request.
 * @throws HttpProblem unauthenticated
 */
export async function identify(
  { bearer, sessionId }: Credentials,
  { sessions, apiTokens, meter }: CredentialChecks,
  options: LookOptions = {},
): Promise<Session> {
  if (bearer !== null) {
    const program = await counted('token', apiTokens.find(bearer, options), meter)
    if (program !== null) return program
    throw new HttpProblem('unauthenticated', 'This token is not valid, or was revoked.', {}, bearerChallenge)
  }
  const session =
    sessionId === null ? null : await counted('session', sessions.find(sessionId, options), meter)
  if (session !== null) return session
  throw new HttpProblem(
    'unauthenticated',
    'The request has no token and no session that counts. Send the header Authorization: Bearer TOKEN, or sign in (POST /v1/session).',
    {},
    bearerChallenge,
  )
}

/** The look-up itself: a promise around it would cost each request a turn. */
function counted(
  kind: 'session' | 'token',
  looking: Promise<Session | null>,
  meter: RequestMeter | undefined,
): Promise<Session | null> {
  if (meter !== undefined)
    looking.then(
      (found) => meter.checked(kind, found === null ? 'invalid' : 'valid'),
      () => meter.checked(kind, 'failed'),
    )
  return looking
}

const bearerChallenge = { 'WWW-Authenticate': 'Bearer realm="leasehold"' }

/**
 * Whether `session` may do what needs `permission`. Asked by the router for every request, and by services again
 * before they act. @param clock says whether an elevation has ended @throws HttpProblem
 */
export function permit(
  permission: Permission,
  session: Session,
  clock: Clock,
  { name, table }: Scoped = {},
): void {
  const refusal = refusalOf(permission, session, { name, table, nowMs: clock.now().wallMs })
  if (refusal === null) return
  throw new HttpProblem(
    refusal === 'elevation' ? 'elevation-needed' : 'forbidden',
    refusalText(refusal, permission, session, { name, table }),
  )
}

function refusalText(
  refusal: Refusal,
  permission: Permission,
  session: Session,
  { name = '', table = 'leases' }: Scoped,
): string {
  switch (refusal) {
    case 'role':
      return `This needs the role ${permission.people}; ${session.username} is ${session.role}.`
    case 'elevation':
      return `Confirm that it is you first. An elevation lasts ${elevationSeconds / 60} minutes.`
    case 'programs':
      return `Programs may not do this; it needs a person with the role ${permission.people}.`
    case 'token-role':
      return `This needs a token with the role ${permission.programs}; ${session.username} is ${session.scope?.role}.`
    case 'table': {
      const tables = session.scope?.tables.map((each) => JSON.stringify(each)).join(', ')
      return 'scopedBy' in permission && permission.scopedBy === 'all'
        ? `The token ${session.username} is for the tables ${tables}; this tells of all tables, and needs a token for "*".`
        : `The token ${session.username} is for the tables ${tables}, not for ${JSON.stringify(table)}.`
    }
    case 'scope': {
      const prefixes = session.scope?.prefixes.map((prefix) => JSON.stringify(prefix)).join(', ')
      const by = 'scopedBy' in permission ? permission.scopedBy : undefined
      if (by === 'all')
        return `The token ${session.username} is for names that begin with ${prefixes}; this tells of all names, and needs a token whose prefix is empty.`
      return by === 'prefix'
        ? `The token ${session.username} is for names that begin with ${prefixes}: ask for one of them, by \`name\` or \`prefix\`.`
        : `The token ${session.username} is for names that begin with ${prefixes}, not for ${JSON.stringify(name)}.`
    }
  }
}

/** The name and the table of a request, for the scope of a token; left out: nothing that tokens are limited to. */
export interface Scoped {
  name?: string | undefined
  table?: string | undefined
}

/** The name and the table in a request to which the scope of a token applies. */
export function scopedTo(
  { permission }: Route,
  params: Record<string, string>,
  query: URLSearchParams,
): Scoped {
  if (!('scopedBy' in permission)) return {}
  const { scopedBy } = permission
  if (scopedBy === 'all') return { name: '' }
  const name = scopedBy === 'prefix' ? (query.get('name') ?? query.get('prefix') ?? '') : params[scopedBy]
  return { name, table: query.get('table') ?? undefined }
}
