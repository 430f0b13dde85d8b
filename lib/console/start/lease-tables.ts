import {
  CassandraLeaseStore,
  CassandraResignRequests,
  type CassandraSession,
  CassandraTicketStore,
} from 'leasehold/cassandra'
import type { LeaseProtocol, LeaseStore } from 'leasehold/lease'
import type { LeaseTable } from '../leases/lease-table.ts'
import { ObservedStore } from '../watch/reading/observed-store.ts'
import { Watch, type WatchDeps } from '../watch/watch.ts'
import type { Config } from './config/config.ts'

interface TableDeps extends Omit<WatchDeps, 'tables'> {
  leasesOf(store: LeaseStore, defaultTtlSeconds: number): LeaseProtocol
}

/** The configured tables, and the watch of them, which learns of all that this process reads and writes there. */
export function leaseTables(
  config: Pick<Config, 'tables'>,
  session: CassandraSession,
  { leasesOf, ...deps }: TableDeps,
): { tables: ReadonlyMap<string, LeaseTable>; watch: Watch } {
  const tables = new Map<string, LeaseTable>()
  const stores = new Map<string, ObservedStore>()
  for (const { id, mapping, readOnly, defaultTtlSeconds } of config.tables) {
    const store = new ObservedStore(new CassandraLeaseStore(session, mapping), deps.clock)
    stores.set(id, store)
    tables.set(id, {
      id,
      mapping,
      readOnly,
      defaultTtlSeconds,
      leases: leasesOf(store, defaultTtlSeconds),
      resignRequests: new CassandraResignRequests(session, mapping),
      tickets: new CassandraTicketStore(session, mapping),
    })
  }
  const watch = new Watch({ tables, ...deps })
  for (const [id, store] of stores) store.observedBy(watch.observer(id))
  return { tables, watch }
}
