import {
  CassandraLeaseStore,
  CassandraResignRequests,
  type CassandraSession,
  CassandraTicketStore,
  ClusterReader,
  defaultMapping,
  type Executor,
} from 'leasehold/cassandra'
import { examine, examineClocks } from 'leasehold/doctor'
import { isLeaseholdError, LeaseProtocol, type LeaseProtocolOptions, type LeaseStore } from 'leasehold/lease'
import type { Telemetry } from 'leasehold/telemetry'
import { Canaries, type CanaryTable } from '../doctor/canaries.ts'
import { Doctor } from '../doctor/doctor.ts'
import { SchemaWatch } from '../doctor/schema-watch.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { distrustText, TableTrust } from '../leases/table-trust.ts'
import { isOwnTable } from '../leases/tables.ts'
import { TrustedStore } from '../leases/trusted-store.ts'
import { restOwnerPrefix } from '../programs/owner-name.ts'
import { ConfigError } from '../store/config-error.ts'
import { ObservedStore } from '../watch/reading/observed-store.ts'
import { Watch, type WatchDeps } from '../watch/watch.ts'
import type { Config } from './config/config.ts'

interface TableDeps extends Omit<WatchDeps, 'tables'> {
  readonly telemetry: Telemetry
}
type MappedCanaryTable = CanaryTable & { mapping: typeof defaultMapping }

/** The table of `own`, for those who write to it over a session of their own. */
interface OwnTable {
  storeOver(executor: Executor): LeaseStore
  /** Why it is not written, as a sentence. null: it is trusted. */
  distrust(): string | null
}

interface LeaseTables {
  /** The configured tables, by id. */
  readonly tables: ReadonlyMap<string, LeaseTable>
  /** The leases of the console itself: `leases` in its keyspace, whatever the table of that id is mapped to. */
  readonly own: LeaseProtocol
  readonly ownTable: OwnTable
  readonly watch: Watch
  readonly doctor: Doctor
}

export const leasesOf = (
  store: LeaseStore,
  config: Config,
  defaultTtlSeconds: number,
  options: Pick<LeaseProtocolOptions, 'telemetry' | 'ownerPrefix'>,
): LeaseProtocol =>
  new LeaseProtocol({ store, maxClockSkewMs: config.maxClockSkewMs, defaultTtlSeconds, ...options })

/** The TTL of the console's own leases, where they do not say. In seconds. */
export const ownTtlSeconds = 180

/**
 * Every lease table with its protocol, the watch, which learns of all that this process reads and writes there, and the
 * doctor that says whether the tables are to be believed.
 */
export function leaseTables(
  config: Config,
  session: CassandraSession,
  { telemetry, ...deps }: TableDeps,
): LeaseTables {
  const canaryTables: MappedCanaryTable[] = []
  const tables = new Map<string, LeaseTable>()
  const stores = new Map<string, ObservedStore>()
  let own: LeaseProtocol | undefined
  let ownTable: OwnTable | undefined
  for (const { id, mapping, readOnly, defaultTtlSeconds } of config.tables) {
    const trust = new TableTrust()
    const store = new CassandraLeaseStore(session, mapping)
    const observed = new ObservedStore(store, deps.clock)
    const trusted = new TrustedStore(observed, id, trust)
    stores.set(id, observed)
    tables.set(id, {
      id,
      mapping,
      readOnly,
      defaultTtlSeconds,
      trust,
      leases: leasesOf(trusted, config, defaultTtlSeconds, { telemetry, ownerPrefix: restOwnerPrefix }),
      resignRequests: new CassandraResignRequests(session, mapping),
      tickets: new CassandraTicketStore(session, mapping),
    })
    if (readOnly) continue
    canaryTables.push({ id, mapping, store, trust })
    if (!isOwnTable({ session }, { mapping })) continue
    own = leasesOf(trusted, config, ownTtlSeconds, { telemetry })
    ownTable = ownTableOf(id, trust)
  }
  if (own === undefined || ownTable === undefined) {
    const id = `${session.keyspace}.${defaultMapping.table}`
    const trust = new TableTrust()
    const store = new CassandraLeaseStore(session)
    canaryTables.push({ id, mapping: defaultMapping, store, trust })
    own = leasesOf(new TrustedStore(store, id, trust), config, ownTtlSeconds, { telemetry })
    ownTable = ownTableOf(id, trust)
  }
  const watch = new Watch({ tables, ...deps })
  for (const [id, store] of stores) store.observedBy(watch.observer(id))
  return { tables, own, ownTable, watch, doctor: doctorOf(canaryTables, config, session, deps) }
}

const ownTableOf = (id: string, trust: TableTrust): OwnTable => ({
  storeOver: (executor) => new TrustedStore(new CassandraLeaseStore(executor), id, trust),
  distrust: () => (trust.distrust === null ? null : distrustText(id, trust.distrust)),
})

function doctorOf(
  canaryTables: MappedCanaryTable[],
  config: Config,
  session: CassandraSession,
  { clock, timer, log }: Pick<TableDeps, 'clock' | 'timer' | 'log'>,
): Doctor {
  const configured = new Set(config.tables.map(({ id }) => id))
  const examined = [...config.tables, ...canaryTables.filter(({ id }) => !configured.has(id))].map(
    ({ id, mapping }) => ({ id, mapping }),
  )
  const { maxClockSkewMs } = config
  const reader = new ClusterReader(session, clock)
  const mappings = new Map(canaryTables.map(({ id, mapping }) => [id, mapping]))
  return new Doctor({
    canaries: new Canaries({ tables: canaryTables, maxClockSkewMs, clock, timer, log }),
    schema: new SchemaWatch(
      {
        version: () => reader.schemaVersion(),
        definition: (id) => reader.definition(mappings.get(id) ?? defaultMapping),
      },
      [...mappings.keys()],
    ),
    clocks: () => examineClocks(session, { maxClockSkewMs, clock }),
    examine: () => examine(session, { tables: examined, maxClockSkewMs, clock }),
    clock,
    timer,
    log,
  })
}

/** A table that is mapped wrongly is found at the start, not when a person opens it. */
export async function checkTable(id: string, leases: LeaseProtocol): Promise<void> {
  try {
    await leases.page({ limit: 1 })
    await leases.read('leasehold/probe')
  } catch (thrown) {
    if (!isLeaseholdError(thrown, 'store-refused')) throw thrown
    throw new ConfigError(`The table ${id} of LEASEHOLD_CONFIG cannot be read: ${thrown.message}`)
  }
}
