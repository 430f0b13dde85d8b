import { randomUUID } from 'node:crypto'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { routes } from '../../../contract/routes.ts'
import type { HttpProblem } from '../../http/http-problem.ts'
import type { Access } from '../../http/log/access-log.ts'
import type { AuditLog } from '../audit-entry.ts'

/** Refusals that are worth an entry: the sender lacked a permission, or sent what a rule forbids. */
const telling: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'forbidden',
  'elevation-needed',
  'wrong-origin',
  'read-only',
  'name-mismatch',
  'plan-invalid',
  'plan-expired',
  'plan-used',
  'not-awaiting',
  'last-admin',
])

/**
 * Records that a request was refused, in the background: a refusal changes nothing, so no caller waits for the entry. A
 * token that is not valid is one too; a session that has ended is not.
 */
export function auditRefusal(audit: AuditLog, access: Access, requestId: string, problem: HttpProblem): void {
  const { session, address, route, withToken } = access
  if (route === null) return
  if (!telling.has(problem.code) && !(problem.code === 'unauthenticated' && withToken)) return
  const { method, path } = routes[route]
  audit.appendUntilWritten({
    act: 'refusal',
    phase: 'event',
    id: randomUUID(),
    actor: {
      username: session?.username ?? '',
      role: session?.role ?? null,
      via: session?.via ?? (withToken ? 'token' : 'password'),
      address,
      requestId,
    },
    on: objectOf(access, `${method} ${path}`),
    reason: problem.message,
    before: null,
    after: { route: `${method} ${path}`, ...access.params },
    outcome: problem.code,
  })
}

/** What the refused request was about: the history of a lease shows what was refused of it too. */
function objectOf({ params, table }: Access, route: string): AuditEvent['on'] {
  const name = params.name ?? params.group
  if (name !== undefined) return { kind: 'lease', table: table ?? 'leases', name, owner: null }
  if (params.username !== undefined) return { kind: 'user', username: params.username }
  return { kind: 'route', route }
}
