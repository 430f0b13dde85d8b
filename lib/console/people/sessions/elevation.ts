/**
 * An elevation, under audit. The session goes on under a new id, and the one before it ends. The intent names the session by
 * the hash of its id: when the process ends in between, the recovery reads that row, so that an older one is not brought back.
 */
import { z } from 'zod'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited } from '../../audit/audited.ts'
import type { FollowUp } from '../../audit/recovery/recovery.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { sessionIdHash } from './session-row.ts'
import type { Sessions } from './sessions.ts'

/** @returns the new session id. @throws HttpProblem unauthenticated: the session has ended; audit-unavailable */
export function elevateAs(
  { sessions, audit }: { sessions: Sessions; audit: AuditLog },
  actor: AuditEvent['actor'],
  sessionId: string | null,
): Promise<string> {
  const before = sessionId === null ? null : { session: sessionIdHash(sessionId) }
  return audited(audit, { act: 'elevation', actor, on: { kind: 'console' }, before }, async () => {
    const id = sessionId === null ? null : await sessions.elevate(sessionId)
    if (sessionId === null || id === null)
      throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
    return { after: null, result: id, rows: [sessions.endedRow(sessionId)] }
  })
}

const beforeSchema = z.object({ session: z.string() })

/** Whether the session was ended by it, or signed out since, its row does not tell: `unknown`. */
export const elevationFollowUp =
  (sessions: Pick<Sessions, 'versionNow'>): FollowUp =>
  async ({ before }) => {
    const key = beforeSchema.safeParse(before).data?.session
    if (key === undefined) return { outcome: 'unknown', after: null }
    const row = await sessions.versionNow(key)
    return { outcome: row.version === null ? 'unknown' : 'not-done', after: null, rows: [row] }
  }
