export type { AcquireOutcome } from './acquire.ts'
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
export { type HoldOptions, type HoldOutcome, Leases, minKeptTtlSeconds } from './kept/leases.ts'
export type { OnResignRequested } from './kept/resign-listener.ts'
export type { ResignRequest, ResignRequests } from './kept/resign-requests.ts'
export { type LeaseView, remainingMs, serverTimeMs } from './lease-view.ts'
export { isQuarantine, quarantineMark, reservedOwnerMark } from './limits.ts'
export { uniqueOwner } from './owner-id.ts'
export type { LeasePage, PageRequest } from './page.ts'
export { type AcquireOptions, LeaseProtocol, type LeaseProtocolOptions } from './protocol.ts'
export type { ReleaseOutcome } from './release.ts'
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
export type { WatchOptions } from './watch.ts'
