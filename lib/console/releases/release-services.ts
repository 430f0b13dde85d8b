import type { CassandraSession } from 'leasehold/cassandra'
import type { Clock, PaxosVariant } from 'leasehold/time'
import type { User } from '../../contract/people/user.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTables } from '../leases/lease-table.ts'
import type { Releases } from './releases.ts'
import type { ReleaseRules } from './rules/offers.ts'
import type { Account } from './rules/second-person.ts'

/** What forced releases need. */
export interface ReleaseServices extends LeaseTables {
  readonly session: Pick<CassandraSession, 'keyspace' | 'serial'>
  readonly config: ReleaseRules
  readonly paxosVariant: PaxosVariant
  readonly clock: Clock
  readonly log: Log
  readonly releases: Releases
  readonly users: { find(username: string): Promise<(Account & Pick<User, 'role' | 'disabled'>) | null> }
}
