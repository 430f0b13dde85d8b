import type { AuditEvent } from '../../contract/audit.ts'
import type { Permission } from '../../contract/permission.ts'
import { permit } from '../http/authorise.ts'
import { actorOf, type Sender } from './actor.ts'

/** In whose name something is done: what the audit says of them, and what they may. */
export interface Authority {
  readonly actor: AuditEvent['actor']
  /** @throws HttpProblem when they may not do what needs this permission */
  permit(permission: Permission, name?: string): void
}

/** Somebody who is signed in, or a program. */
export const authorityOf = (sender: Sender): Authority => ({
  actor: actorOf(sender),
  permit: (permission, name) => permit(permission, sender.session, name),
})

/** Whoever has a shell on the server, under the name they have there: may do everything that an admin may. */
export const terminalAuthority = (username: string): Authority => ({
  actor: { username, role: 'admin', via: 'terminal', address: null, requestId: null },
  permit: () => {},
})
