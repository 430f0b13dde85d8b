/**
 * Opens sessions for sign-ins by password and by single sign-on. The audit log has an entry for each one
 * before the caller gets the session's id.
 */
import type { AuditEvent } from '../../../contract/audit.ts'
import { auditEvent, written } from '../../audit/audited.ts'
import type { SignInServices } from '../people-services.ts'

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
