import type { AuditEvent } from '../../contract/audit.ts'
import type { Session } from '../../contract/people/session.ts'

/** Who asks, and by which request: what an entry of the audit log says of it. */
export interface Sender {
  session: Session
  address: string | null
  requestId: string
}

export const actorOf = ({ session, address, requestId }: Sender): AuditEvent['actor'] => ({
  username: session.username,
  role: session.role,
  via: session.via,
  address,
  requestId,
})

/** The server itself, for what it does without being asked. */
export const serverActor: AuditEvent['actor'] = {
  username: 'leasehold',
  role: null,
  via: 'server',
  address: null,
  requestId: null,
}
