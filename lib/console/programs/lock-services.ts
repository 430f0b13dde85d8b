import type { Terms } from 'leasehold/election'
import type { Clock } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { ActLimit } from '../audit/refusals/act-limit.ts'
import type { Log } from '../http/log/log.ts'
import type { Holders } from '../leases/holders.ts'
import type { LeaseTables } from '../leases/lease-table.ts'
import type { ReleaseRules } from '../releases/rules/offers.ts'

/** What locks need. */
export interface LockServices extends LeaseTables {
  readonly config: ReleaseRules
  readonly clock: Clock
  readonly log: Log
  readonly requestLog: Log
  readonly audit: AuditLog
  readonly actLimit: ActLimit
  readonly holders: Holders
}

/** What elections need. */
export interface ElectionServices extends LockServices {
  readonly terms: Terms
}

/** What the queues of fair locks need. */
export interface QueueServices extends LeaseTables {
  readonly config: ReleaseRules
  readonly clock: Clock
}
