import {
  CassandraLeaseStore,
  CassandraResignRequests,
  type CassandraSession,
  CassandraTicketStore,
  ClusterReader,
  defaultMapping,
} from 'leasehold/cassandra'
import { examine } from 'leasehold/doctor'
import { LeaseProtocol } from 'leasehold/lease'
import { systemClock, systemTimer } from 'leasehold/time'
import { Canaries, type CanaryTable } from '../doctor/canaries.ts'
import { Doctor } from '../doctor/doctor.ts'
import { SchemaWatch } from '../doctor/schema-watch.ts'
import type { Log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { TableTrust } from '../leases/table-trust.ts'
import { TrustedStore } from '../leases/trusted-store.ts'
import type { Config } from './config/config.ts'

interface LeaseTables {
  /** The configured tables, by id. */
  readonly tables: ReadonlyMap<string, LeaseTable>
  /** The leases of the console itself: `leases` in its keyspace, whatever the table of that id is mapped to. */
  readonly own: LeaseProtocol
  readonly doctor: Doctor
}

export const leasesOf = (
  store: LeaseProtocol['context']['store'],
  config: Config,
  defaultTtlSeconds: number,
) => new LeaseProtocol({ store, maxClockSkewMs: config.maxClockSkewMs, defaultTtlSeconds })

/** The TTL of the console's own leases, where they do not say. In seconds. */
export const ownTtlSeconds = 180

/** Every lease table with its protocol, and the doctor that says whether they are to be believed. */
export function leaseTables(config: Config, session: CassandraSession, log: Log): LeaseTables {
  const canaryTables: (CanaryTable & { mapping: typeof defaultMapping })[] = []
  const tables = new Map<string, LeaseTable>()
  let own: LeaseProtocol | undefined
  for (const { id, mapping, readOnly, defaultTtlSeconds } of config.tables) {
    const trust = new TableTrust()
    const store = new CassandraLeaseStore(session, mapping)
    const trusted = new TrustedStore(store, id, trust)
    tables.set(id, {
      id,
      mapping,
      readOnly,
      defaultTtlSeconds,
      trust,
      leases: leasesOf(trusted, config, defaultTtlSeconds),
      resignRequests: new CassandraResignRequests(session, mapping),
      tickets: new CassandraTicketStore(session, mapping),
    })
    if (readOnly) continue
    canaryTables.push({ id, mapping, store, trust })
    const isOwn =
      (mapping.keyspace ?? session.keyspace) === session.keyspace && mapping.table === defaultMapping.table
    if (isOwn) own = leasesOf(trusted, config, ownTtlSeconds)
  }
  if (own === undefined) {
    const id = `${session.keyspace}.${defaultMapping.table}`
    const trust = new TableTrust()
    const store = new CassandraLeaseStore(session)
    canaryTables.push({ id, mapping: defaultMapping, store, trust })
    own = leasesOf(new TrustedStore(store, id, trust), config, ownTtlSeconds)
  }
  const examined = [...config.tables, ...canaryTables.filter(({ id }) => !tables.has(id))].map(
    ({ id, mapping }) => ({ id, mapping }),
  )
  const { maxClockSkewMs } = config
  const [clock, timer] = [systemClock, systemTimer]
  const reader = new ClusterReader(session, clock)
  const mappings = new Map(canaryTables.map(({ id, mapping }) => [id, mapping]))
  const doctor = new Doctor({
    canaries: new Canaries({ tables: canaryTables, maxClockSkewMs, clock, timer, log }),
    schema: new SchemaWatch(
      {
        version: () => reader.schemaVersion(),
        definition: (id) => reader.definition(mappings.get(id) ?? defaultMapping),
      },
      [...mappings.keys()],
    ),
    examine: () => examine(session, { tables: examined, maxClockSkewMs, clock }),
    clock,
    timer,
    log,
  })
  return { tables, own, doctor }
}
