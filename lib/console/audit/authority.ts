import type { Clock } from 'leasehold/time'
import type { AuditEvent } from '../../contract/audit.ts'
import type { Permission } from '../../contract/permission.ts'
import { permit } from '../http/authorise.ts'
import { actorOf, type Sender } from './actor.ts'

/** The person, program or shell user that acts: what the audit says of them, and what they may do. */
export interface Authority {
  readonly actor: AuditEvent['actor']
  /** @throws HttpProblem when they lack this permission */
  permit(permission: Permission): void
}

/** Of a signed-in user, or a program. */
export const authorityOf = (sender: Sender, clock: Clock): Authority => ({
  actor: actorOf(sender),
  permit: (permission) => permit(permission, sender.session, clock),
})

/** Of a user of the server's shell, under the name they have there: they may do all that an admin may. */
export const terminalAuthority = (username: string): Authority => ({
  actor: { username, role: 'admin', via: 'terminal', address: null, requestId: null },
  permit: () => {},
})
