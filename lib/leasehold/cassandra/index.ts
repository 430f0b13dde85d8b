export {
  type ClockReading,
  ClusterReader,
  type ColumnFacts,
  type NodeFacts,
  type TableFacts,
  type TableSettings,
  type WrittenRow,
  writtenRowsMax,
} from './doctor/cluster-reader.ts'
export type { ConnectClientOptions, ConnectOptions } from './driver/client-options.ts'
export { fromDriver } from './driver/driver-error.ts'
export { type Columns, FencedGuard, type FencedOutcome } from './fencing/fenced-guard.ts'
export { FencedTable, type FencedTableOptions } from './fencing/fenced-table.ts'
export { CassandraEventStore } from './history/event-store.ts'
export { type LeadershipNames, LeadershipSchema } from './leases/leadership-schema.ts'
export { CassandraLeaseStore } from './leases/lease-store.ts'
export { defaultMapping, type TableMapping } from './leases/mapping.ts'
export { CassandraResignRequests } from './leases/resign-requests.ts'
export { type CreateTablesOptions, createTables, type TableName } from './schema/create-tables.ts'
export { quoteIdentifier } from './schema/identifiers.ts'
export { tables } from './schema/tables.ts'
export type { ClusterFacts, Replication } from './session/cluster-facts.ts'
export { connect } from './session/connect.ts'
export type { ExecutedRows, Executor } from './session/executor.ts'
export { CassandraSession, type SessionNode, type SessionParts } from './session/session.ts'
export {
  levelsOf,
  readTimeoutMs,
  type SerialLevel,
  type Statement,
  writeTimeoutMs,
} from './session/statement.ts'
export { CassandraBakeryRegisters } from './stores/bakery-registers.ts'
export { CassandraSequenceStore } from './stores/sequence-store.ts'
export { CassandraTermStore } from './stores/term-store.ts'
export { CassandraTicketStore } from './stores/ticket-store.ts'
