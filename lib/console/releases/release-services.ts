import type { CassandraSession } from 'leasehold/cassandra'
import type { Clock, PaxosVariant } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTables } from '../leases/lease-table.ts'
import type { Releases } from './releases.ts'
import type { ApprovalServices } from './rules/approval.ts'

/** What forced releases need. */
export interface ReleaseServices extends LeaseTables, ApprovalServices {
  readonly session: Pick<CassandraSession, 'keyspace' | 'serial'>
  readonly paxosVariant: PaxosVariant
  readonly clock: Clock
  readonly log: Log
  readonly releases: Releases
  readonly audit: AuditLog
}
