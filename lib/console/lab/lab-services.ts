import type { Clock } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { Lab } from './lab.ts'

/** What the routes of the lab need. */
export interface LabServices {
  readonly lab: Lab
  readonly audit: AuditLog
  readonly clock: Clock
  /** LEASEHOLD_ADMIN_ACTIONS */
  readonly config: { readonly adminActions: boolean }
}
