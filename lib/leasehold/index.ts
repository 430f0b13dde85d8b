/**
 * What an application uses, in one place: `import { connect, Leases, Locks } from 'leasehold'`. The rest has subpaths:
 * `leasehold/http` (which loads no driver), `leasehold/bakery`, `leasehold/testing`, and each room by its name.
 */
export {
  CassandraEventStore,
  CassandraLeaseStore,
  CassandraSession,
  type Columns,
  type ConnectClientOptions,
  type ConnectOptions,
  type CreateTablesOptions,
  connect,
  createTables,
  FencedGuard,
  type FencedOutcome,
  FencedTable,
  type FencedTableOptions,
  type TableMapping,
  type TableName,
  tables,
} from './cassandra/index.ts'
export {
  type CampaignOptions,
  type CampaignOutcome,
  type CandidateOptions,
  Election,
  type ElectionOptions,
  type Leader,
  Leadership,
  type LeaderWork,
  type LeadOptions,
  type Observation,
  type Term,
  type Terms,
} from './election/index.ts'
export { EventRecorder, type LeaseEvent, readHistory } from './history/index.ts'
export {
  type AcquireOptions,
  type AcquireOutcome,
  ClosedError,
  type HoldOptions,
  type HoldOutcome,
  InvalidArgumentError,
  isLeaseholdError,
  Lease,
  type LeaseEvents,
  LeaseHeldError,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  type LeasePage,
  LeaseProtocol,
  type LeaseProtocolOptions,
  Leases,
  type LeaseView,
  type LossReason,
  type OnResignRequested,
  OutcomeUnknownError,
  type PageRequest,
  type ReleaseOutcome,
  type RenewOutcome,
  type ResignRequest,
  StoreRefusedError,
  StoreUnavailableError,
  type Tenure,
  type TryOptions,
  uniqueOwner,
  type WatchOptions,
} from './lease/index.ts'
export { type LockedWork, Locks, type OnceOptions, type OnceOutcome, tickKey } from './lock/index.ts'
export {
  type AskOptions,
  type BreakOutcome,
  type KillOutcome,
  Operator,
  type PlannedHolder,
} from './operator/index.ts'
export { type Block, Sequence, type SequenceOptions } from './sequence/index.ts'
export { noTelemetry, type Telemetry } from './telemetry/index.ts'
export type { PaxosVariant } from './time/index.ts'
