import type { AuditEvent } from '../../contract/audit.ts'
import type { Session } from '../../contract/people/session.ts'
import type { ActWindow } from '../http/act-window.ts'

/** The sender of an act and its request, as an audit entry records them. */
export interface Sender {
  session: Session
  address: string | null
  requestId: string
}

/** A sender whose request was permitted, and the time in which it may act. */
export interface PermittedSender extends Sender {
  /** What limits count the sender by: http/limits/sender-key.ts. */
  senderKey: string
  window: ActWindow
}

export const actorOf = ({ session, address, requestId }: Sender): AuditEvent['actor'] => ({
  username: session.username,
  role: session.role,
  via: session.via,
  address,
  requestId,
})

/** The server itself, for acts without a request. */
export const serverActor: AuditEvent['actor'] = {
  username: 'leasehold',
  role: null,
  via: 'server',
  address: null,
  requestId: null,
}
