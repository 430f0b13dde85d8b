export type { AcquireOutcome, Tenure } from './acquire.ts'
export type { BreakOutcome, BreakStep } from './break.ts'
export {
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
export type { BreakAct, ForcedAct, KillAct } from './find-out.ts'
export type { OnResignRequested } from './hearing.ts'
export { type KillOutcome, type KillStep, killSettleMs } from './kill.ts'
export { Lease } from './lease.ts'
export { type LeaseView, remainingMs, serverTimeMs } from './lease-view.ts'
export { type HoldOptions, type HoldOutcome, Leases, minKeptTtlSeconds } from './leases.ts'
export { isQuarantine, quarantineMark, reservedOwnerMark } from './limits.ts'
export { uniqueOwner } from './owner-id.ts'
export type { LeasePage, PageRequest } from './page.ts'
export { type AcquireOptions, LeaseProtocol, type LeaseProtocolOptions } from './protocol.ts'
export type { ReleaseOutcome } from './release.ts'
export type { RenewOutcome } from './renew.ts'
export type { ResignRequest, ResignRequests } from './resign-requests.ts'
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
export type { WatchOptions } from './watch.ts'
