/**
 * Opens and elevates sessions for sign-ins by password and by single sign-on. The audit log has an entry for each one
 * before the caller gets the session's id.
 */
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import { actorOf } from '../../audit/actor.ts'
import { auditEvent, audited, written } from '../../audit/audited.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { SignInServices } from '../people-services.ts'
import { sessionIdHash } from './session-row.ts'

/** Where a request comes from, and the session id and the cookies that it brings. */
export interface From {
  address: string | null
  requestId: string
  sessionId: string | null
  cookieHeader: string | null
}

interface Opening {
  via: 'password' | 'sso'
  actor: AuditEvent['actor']
  /** The user's when the password was checked. Single sign-on checks none. */
  epoch?: string | undefined
}

/** Opens a session, and ends the one that the request came with. @returns the new id */
export async function openSession(
  { sessions, audit, log }: SignInServices,
  { address, sessionId }: From,
  { via, actor, epoch }: Opening,
): Promise<string> {
  const id = await sessions.open({ username: actor.username, via, address, epoch })
  try {
    const event = auditEvent('sign-in', actor, { kind: 'console' }, 'ok')
    await written(audit, { ...event, rows: sessionId === null ? [] : [sessions.endedRow(sessionId)] })
  } catch (thrown) {
    await sessions.close(id).catch(() => {})
    throw thrown
  }
  if (sessionId !== null)
    await sessions
      .close(sessionId)
      .catch((error) => log.warn({ error }, 'a session before could not be ended'))
  return id
}

/**
 * Elevates the session that the request came with. It goes on under a new id, and the one before it ends: the intent names
 * it by the hash of its id, so that the recovery can read the row when the process ends in between. @returns the new id
 */
export function elevateSession(
  { sessions, audit }: SignInServices,
  from: From & { session: Session },
): Promise<string> {
  const { sessionId } = from
  const before = sessionId === null ? null : { session: sessionIdHash(sessionId) }
  const about = { act: 'elevation', actor: actorOf(from), on: { kind: 'console' }, before } as const
  return audited(audit, about, async () => {
    const id = sessionId === null ? null : await sessions.elevate(sessionId)
    if (sessionId === null || id === null)
      throw new HttpProblem('unauthenticated', 'The session has ended meanwhile; sign in again.')
    return { after: null, result: id, rows: [sessions.endedRow(sessionId)] }
  })
}
