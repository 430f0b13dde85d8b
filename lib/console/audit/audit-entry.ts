import type {
  AuditAlarm,
  AuditChain,
  AuditEntry,
  AuditEvent,
  AuditQuery,
  ShownEntry,
} from '../../contract/audit.ts'

/** Which entries, from where on; as `GET /v1/audit` asks for them. */
export type AuditFilter = Partial<AuditQuery>

/**
 * The audit log, for the rooms that act. No audit, no act: append the intent, wait, act, append the outcome.
 *
 * Where an event goes: a `refusal`, and a `sign-in`, an `elevation` or a `password` that was refused, onto the chain
 * `refused`, whatever the account; everything else onto `main`. An intent and its outcome are on `main`, always.
 */
export interface AuditLog {
  /**
   * Written when this resolves, once, whatever was answered in between.
   * @throws StoreUnavailableError, StoreRefusedError, AuditDamagedError: not written, or not known to be: then no act
   */
  append(event: AuditEvent): Promise<AuditEntry>
  /**
   * Returns at once, and retries until the entry is written, across an outage; until then it is in `pending`. Few
   * callers await it: an outage may be long, and a process that ends writes no more entries.
   */
  appendUntilWritten(event: AuditEvent): Promise<unknown>
  readonly pending: readonly AuditEvent[]
  /** The alarms that this process has found. With most alarms of `main`, `append` is refused. */
  readonly alarms: readonly AuditAlarm[]
  /**
   * When this resolves, every entry from before the call is read, and its row versions are noted. @throws as `append`
   */
  follow(): Promise<void>
  /** Follows the log until the signal aborts. */
  watch(signal: AbortSignal): Promise<void>
  /** Newest first, each checked with the key. Looks at a bounded number of entries; the cursor goes on from there. */
  page(filter: AuditFilter): Promise<{ entries: ShownEntry[]; nextCursor: string | null }>
  /** Intents of the last days without an outcome, oldest first, each checked with the key: for the recovery after a crash. */
  openIntents(): Promise<AuditEntry[]>
  /** Waits a moment for pending entries; entries that are not written then are in the structured log. */
  close(): Promise<void>
}

/** Where entries are counted. */
export interface AuditMeter {
  /** An entry was written and read back, or was not. `ms`: since it was handed in. */
  appended(event: AuditEvent, chain: AuditChain, ended: 'written' | 'failed', ms: number): void
}

/** The state of the log, as a meter asks for it. */
export interface AuditState {
  readonly pending: readonly AuditEvent[]
  readonly alarms: readonly AuditAlarm[]
  /** Since the chain `main` was last read to its end; before the first time, since this log was made. */
  readonly followAgeMs: number
}
