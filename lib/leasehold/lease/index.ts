export type { AcquireOutcome } from './acquire.ts'
export { Background, type PerformOptions } from './background.ts'
export type { LeaseContext } from './context.ts'
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
  StoreUnavailableError,
} from './errors.ts'
export { Lease } from './kept/lease.ts'
export {
  type HoldOptions,
  type HoldOutcome,
  Leases,
  type TryOptions,
} from './kept/leases.ts'
export type { OnResignRequested } from './kept/resign-listener.ts'
export type { ResignRequest, ResignRequests } from './kept/resign-requests.ts'
export { type LeaseView, readLease, remainingMs, serverTimeMs } from './lease-view.ts'
export { isQuarantine, quarantineMark, reservedOwnerMark } from './limits.ts'
export { OpenTries, openForMs } from './open-tries.ts'
export {
  defaultSettleMs,
  type Operation,
  OutcomeEngine,
  type SettleOptions,
  type Verdict,
} from './outcome-engine.ts'
export { uniqueOwner } from './owner-id.ts'
export type { LeasePage, PageRequest } from './page.ts'
export {
  type AcquireOptions,
  defaultTtlSeconds,
  LeaseProtocol,
  type LeaseProtocolOptions,
} from './protocol.ts'
export type { Releasable, ReleaseOutcome } from './release.ts'
export type { RenewOutcome } from './renew.ts'
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
  ScanRange,
  StoreColumns,
} from './store.ts'
export type { Tenure } from './tenure.ts'
export { beforeTicket, type Ticket, type TicketStore } from './waiting/ticket-store.ts'
export type { WatchOptions } from './watch.ts'
