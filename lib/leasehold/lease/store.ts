import type { PaxosVariant } from '../time/index.ts'

/**
 * What the lease protocol needs of a store: single statements, whose answers distinguish *not applied* from *unknown*.
 * All stores pass one contract (`testing/contracts/store-contract.ts`): the one in Cassandra, the one over HTTP, and the one in
 * memory, which has Cassandra's semantics.
 *
 * A conditional write may throw `StatementUnknownError` in normal operation; it throws `StoreUnavailableError` when it
 * surely was not sent, and `StoreRefusedError` when no retry helps.
 */
export interface LeaseStore {
  readonly columns: StoreColumns
  /**
   * The cluster's `paxos_variant`; v1, the safe assumption, when the store does not know it. It bounds how long a
   * conditional write can contend before Cassandra applies it.
   */
  readonly paxosVariant: PaxosVariant
  /**
   * One call may be several statements, and one without an answer may be applied after the one that was answered: true of a
   * store behind a server, which repeats them itself; no lease is killed through such a store. Left out: each call is one statement.
   */
  readonly repeats?: boolean | undefined
  /** Applied only to a row without an owner: a missing row, an expired one, a zombie. Sets every column. */
  acquire(write: AcquireWrite): Promise<CasAnswer>
  /** Applied only if owner and value are as given. Sets every column. */
  renew(write: RenewWrite): Promise<CasAnswer>
  /** Applied only if the owner is as given. */
  release(write: ReleaseWrite): Promise<CasAnswer>
  /**
   * Applied only if the owner is as given: puts a mark in its place. Sets every column and the row marker, so that
   * nothing of the row outlives the mark. Only in a table with an owner column.
   */
  quarantine(write: QuarantineWrite): Promise<CasAnswer>
  /** One row at SERIAL. */
  read(name: string): Promise<ReadAnswer>
  /**
   * One row at quorum. It shows every write that was answered *applied* before this read was sent, and costs less than
   * a SERIAL read. It does not end a write that is in progress: only what the caller wrote itself is a fact. Left out:
   * `read` is used.
   */
  readWritten?(name: string): Promise<ReadAnswer>
  /** The row as one replica shows it: cheap, and a hint only, never a fact. null: that replica shows no row. */
  hint(name: string): Promise<LeaseHint | null>
  /** Names in token order, by a quorum scan: candidates to read at SERIAL, never facts. */
  scan(range: ScanRange): Promise<ScanAnswer>
  /** Rows in token order, by one quorum read: what a quorum showed, and no verdict as a SERIAL read is. */
  scanRows(range: ScanRange): Promise<ScanRowsAnswer>
}

/** What one replica shows. A renewal changes neither field. null: no such cell, or no such column. */
export interface LeaseHint {
  owner: string | null
  value: string | null
}

/** Which columns a mapped table has. Without an owner column there is no renewal, no token, no version. */
export interface StoreColumns {
  readonly owner: boolean
  readonly value: boolean
}

export interface AcquireWrite {
  name: string
  owner: string
  value: string | null
  ttlSeconds: number
}

export interface RenewWrite extends AcquireWrite {
  /** The last known value, which the condition names. `value` is the next one. */
  knownValue: string | null
  /**
   * How long to wait for an answer, in milliseconds, so that there is time to send the renewal again; left out: as long
   * as a server may take to answer. A second renewal beside one that is still under way does no harm: both do the same.
   */
  giveUpAfterMs?: number | undefined
}

export interface ReleaseWrite {
  name: string
  owner: string
  /** In a table without an owner column: it is sent within this time, in milliseconds, or never. Left out: within a second. */
  sentWithinMs?: number | undefined
}

export interface QuarantineWrite {
  name: string
  /** The owner whose place the mark takes; the condition. */
  owner: string
  mark: string
  value: string | null
  ttlSeconds: number
}

/** The answer to a conditional write. `found`: the columns of the condition as they are now; null: there is no row. */
export type CasAnswer =
  /** `certain: false`: the store repeated the write after a lost answer; what it wanted is so, perhaps by time alone. */
  | { applied: true; certain?: false | undefined }
  | { applied: false; found: { owner: string | null; value?: string | null } | null }

/** The cells of one row, as Cassandra shows them. */
export interface LeaseCells {
  owner: string | null
  value: string | null
  /** writetime(owner), microseconds: the ballot. */
  ownerWritetime: bigint | null
  /** ttl(owner), the whole seconds left; null although there is an owner: no expiry. */
  ownerTtlSeconds: number | null
  valueTtlSeconds: number | null
  /** toUnixTimestamp(now()) by the coordinator, milliseconds. */
  serverNowMs: number
}

export interface ReadAnswer {
  cells: LeaseCells | null
  /** The node that coordinated the read. */
  coordinator: string
  /** The statement, for people. */
  statement: string
}

export interface ScanRange {
  /** Exclusive lower bound, a decimal string; undefined: from the start of the ring. */
  afterToken?: string | undefined
  limit: number
}

export interface ScanAnswer {
  rows: { name: string; token: string }[]
}

export interface ScannedRow {
  name: string
  token: string
  cells: LeaseCells
}

export interface ScanRowsAnswer {
  rows: ScannedRow[]
}
