import type { LossReason } from '../errors.ts'

/** What an event says of the lease. */
export interface RecordedLease {
  readonly name: string
  /** Unique to this tenure. */
  readonly owner: string
  readonly ttlSeconds: number
}

/**
 * Where leases that are kept alive report what happens to them, for a history: `EventRecorder` writes it.
 * Guarantees, by every implementation: it never throws, never waits, and does not grow without a bound. A lease does not depend on
 * it.
 */
export interface LeaseEvents {
  acquired(lease: RecordedLease, token: bigint): void
  /** @param marginMs what was left until the deadline when the renewal was answered, before the new deadline counts */
  renewed(lease: RecordedLease, marginMs: number): void
  /** The holder was asked to resign, and holds on until its work has ended: an `ended` with `released` means that it resigned. */
  asked?(lease: RecordedLease): void
  /** The lease is over. `released`: its delete was answered. */
  ended(lease: RecordedLease, reason: LossReason): void
  /**
   * The process has let the lease go, and that is no `ended` with `released`: its release was not answered, so that the row may
   * stand, or it had been lost before. `ended` may follow.
   */
  left(lease: RecordedLease): void
  /** Resolves when all that was reported is written, or given up. Never rejects. */
  flush(): Promise<void>
}
