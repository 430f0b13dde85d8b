import type { CassandraSession } from 'leasehold/cassandra'
import type { Clock } from 'leasehold/time'
import type { ClocksApart } from '../../contract/leases/cluster.ts'
import type { LeaseTables } from './lease-table.ts'
import type { Probe } from './probe.ts'

/** What showing leases needs. */
export interface LeaseServices extends LeaseTables {
  readonly session: Pick<CassandraSession, 'keyspace' | 'serial'>
  readonly clock: Clock
}

/** What showing the state of the cluster needs. */
export interface ClusterServices extends LeaseTables {
  readonly session: Pick<CassandraSession, 'keyspace' | 'facts' | 'nodes'>
  readonly clock: Clock
  readonly probe: Probe
  /** Which rows give rights. */
  readonly versions: { throwIfUnknown(): void }
  readonly doctor: { readonly clocksApart: ClocksApart | null }
  readonly config: { readonly embedded: boolean }
}
