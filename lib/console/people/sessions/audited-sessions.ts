/**
 * Opens and elevates sessions for sign-ins by password and by single sign-on, and ends both. The audit log has an entry for
 * each opened session before the caller gets its id, and an intent before an elevation begins or ends and before all
 * sessions of a person end.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import { actorOf, type PermittedSender, type Sender } from '../../audit/actor.ts'
import { auditEvent, audited, written } from '../../audit/audited.ts'
import type { ActWindow } from '../../http/act-window.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { SignInServices } from '../people-services.ts'
import type { UserRow } from '../user-row.ts'
import { type Opened, sessionIdHash } from './session-row.ts'

/** The address of a request, its session id, its cookies, and the time in which it may act. */
export interface From {
  address: string | null
  requestId: string
  sessionId: string | null
  cookieHeader: string | null
  window: ActWindow
}

interface Opening {
  via: 'password' | 'sso'
  actor: AuditEvent['actor']
  /** As the credentials were checked. */
  user: UserRow
}

/** Opens a session, and ends the one that the request came with. */
export async function openSession(
  { sessions, audit, log }: SignInServices,
  { address, sessionId, requestId }: From,
  { via, actor, user }: Opening,
): Promise<Opened> {
  const opened = await sessions.open(user, { via, address })
  try {
    const event = auditEvent('sign-in', actor, { kind: 'console' }, 'ok')
    await written(audit, { ...event, rows: sessionId === null ? [] : [sessions.endedRow(sessionId)] })
  } catch (thrown) {
    await sessions.close(opened.id).catch(() => {})
    throw thrown
  }
  if (sessionId !== null)
    await sessions
      .close(sessionId)
      .catch((error) => log.warn({ requestId, error }, 'a session before could not be ended'))
  return opened
}

/**
 * Elevates the session that the request came with. It goes on under a new id, and the one before it ends: the intent names
 * it by the hash of its id, so that the recovery can read the row when the process ends in between.
 */
export function elevateSession(
  { sessions, audit }: SignInServices,
  from: From & { session: Session },
): Promise<Opened> {
  const { sessionId } = from
  const before = sessionId === null ? null : { session: sessionIdHash(sessionId) }
  const about = { act: 'elevation', actor: actorOf(from), on: { kind: 'console' }, before } as const
  return audited(audit, from.window, about, async ({ beforeSend }) => {
    const elevated = sessionId === null ? null : await sessions.elevate(sessionId, beforeSend)
    if (sessionId === null || elevated === null)
      throw new HttpProblem('unauthenticated', 'The session has ended. Sign in again.')
    return { after: null, result: elevated, rows: [sessions.endedRow(sessionId)] }
  })
}

/** Ends the elevation of a session before its time. @throws HttpProblem audit-unavailable: the elevation stays */
export function lowerSession(
  { sessions, audit }: SignInServices,
  from: PermittedSender & { sessionId: string },
): Promise<void> {
  const before = { session: sessionIdHash(from.sessionId) }
  const wanted = { ended: true }
  const about = { act: 'elevation', actor: actorOf(from), on: { kind: 'console' }, before, wanted } as const
  return audited(audit, from.window, about, async ({ beforeSend }) => {
    const row = await sessions.lower(from.sessionId, beforeSend)
    return { after: null, result: undefined, outcome: 'ended', rows: row === null ? [] : [row] }
  })
}

/** Ends every session of the sender. @throws HttpProblem audit-unavailable: no session has ended */
export async function closeAllSessions(
  { sessions, users, audit, log }: SignInServices,
  from: PermittedSender & Pick<From, 'sessionId'>,
): Promise<void> {
  const { sessionId, session, window, requestId } = from
  const user = await users.find(session.username)
  const before = {
    session: sessionId === null ? null : sessionIdHash(sessionId),
    userVersion: user?.version ?? null,
  }
  const wanted = { everywhere: true }
  const about = { act: 'sign-out', actor: actorOf(from), on: { kind: 'console' }, before, wanted } as const
  return audited(audit, window, about, async ({ beforeSend }) => {
    const rows = [...(await sessions.closeAll(session.username, beforeSend))]
    if (sessionId === null) return { after: wanted, result: undefined, rows }
    // Over already, as the user's epoch is another one: this may be late, and an error says nothing of the sign-out.
    await sessions
      .close(sessionId)
      .catch((error) => log.warn({ requestId, error }, 'the row of a session that is over was not deleted'))
    return { after: wanted, result: undefined, rows: [...rows, sessions.endedRow(sessionId)] }
  })
}

/**
 * Ends one session, also while the audit log is unavailable: a session that its owner cannot end would be worse. Of many
 * requests that end it at once, one has an entry. Of one whose answers were lost, the entry says `unknown`, and ends the session
 * in every process: a second try meets a session that is over, and writes none.
 * @throws StatementUnknownError after that entry
 */
export async function closeOwnSession(
  { sessions, audit }: SignInServices,
  from: Sender & Pick<From, 'sessionId'>,
): Promise<void> {
  const { sessionId } = from
  const note = (outcome: 'ok' | 'unknown') => {
    const rows = sessionId === null ? [] : [sessions.endedRow(sessionId)]
    const after = { everywhere: false }
    void audit.appendUntilWritten(
      auditEvent('sign-out', actorOf(from), { kind: 'console' }, outcome, after, rows),
    )
  }
  if (sessionId === null) return note('ok')
  try {
    if (await sessions.close(sessionId)) note('ok')
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'statement-unknown')) note('unknown')
    throw thrown
  }
}
