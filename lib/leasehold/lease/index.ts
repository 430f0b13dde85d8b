export type { AcquireOutcome } from './acquire.ts'
export { BoundedMap } from './bounded-map.ts'
export type { LeaseContext } from './context.ts'
export { Background, type PerformOptions } from './engine/background.ts'
export {
  defaultSettleMs,
  type Operation,
  OutcomeEngine,
  type Resending,
  type SettleOptions,
  type Verdict,
} from './engine/outcome-engine.ts'
export {
  ClosedError,
  InvalidArgumentError,
  isLeaseholdError,
  LeaseHeldError,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  type LossReason,
  OutcomeUnknownError,
  StatementUnknownError,
  StoreRefusedError,
  type StoreRefusedOptions,
  StoreUnavailableError,
  type StoreUnavailableOptions,
} from './errors.ts'
export { Lease } from './kept/lease.ts'
export type { LeaseEvents, RecordedLease } from './kept/lease-events.ts'
export {
  type HoldOptions,
  type HoldOutcome,
  Leases,
  type TryOptions,
} from './kept/leases.ts'
export { quarantineMark } from './limits.ts'
export { OpenTries, openForMs } from './open-tries.ts'
export { uniqueOwner } from './owner-id.ts'
export { isQuarantine, isReservedOwner } from './owner-mark.ts'
export {
  type AcquireOptions,
  defaultTtlSeconds,
  LeaseProtocol,
  type LeaseProtocolOptions,
} from './protocol.ts'
export { type LeaseView, readLease, remainingMs, serverTimeMs } from './reading/lease-view.ts'
export { inParallel, type LeasePage, type PageRequest, pageReadsAtOnce } from './reading/page.ts'
export type { RowScan } from './reading/scan-rows.ts'
export type { WatchOptions } from './reading/watch.ts'
export type { Releasable, ReleaseOutcome } from './release.ts'
export type { RenewOutcome } from './renew.ts'
export type { OnResignRequested } from './resign/resign-listener.ts'
export type { ResignRequest, ResignRequests } from './resign/resign-requests.ts'
export type {
  AcquireWrite,
  CasAnswer,
  LeaseCells,
  LeaseHint,
  LeaseStore,
  QuarantineWrite,
  ReadAnswer,
  ReleaseWrite,
  RenewWrite,
  ScanAnswer,
  ScannedRow,
  ScanRange,
  ScanRowsAnswer,
  StoreColumns,
} from './store.ts'
export type { Tenure } from './tenure.ts'
export { beforeTicket, type Ticket, type TicketStore } from './waiting/queue/ticket-store.ts'
