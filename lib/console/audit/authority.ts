import type { Clock } from 'leasehold/time'
import type { AuditEvent } from '../../contract/audit.ts'
import type { Permission } from '../../contract/permission.ts'
import type { ActWindow } from '../http/act-window.ts'
import { permit } from '../http/authorise.ts'
import { actorOf, type PermittedSender } from './actor.ts'

/** The person, program or shell user that acts: what the audit says of them, and what they may do. */
export interface Authority {
  readonly actor: AuditEvent['actor']
  /** @throws HttpProblem when they lack this permission */
  permit(permission: Permission): void
  /** The time in which the request may act; undefined at the terminal, where each act opens its own. */
  readonly window?: ActWindow
}

/** Of a signed-in user, or a program. */
export const authorityOf = (sender: PermittedSender, clock: Clock): Authority => ({
  actor: actorOf(sender),
  permit: (permission) => permit(permission, sender.session, clock),
  window: sender.window,
})

/** Of a user of the server's shell, under the name they have there: they may do all that an admin may. */
export const terminalAuthority = (username: string): Authority => ({
  actor: { username, role: 'admin', via: 'terminal', address: null, requestId: null },
  permit: () => {},
})
