import type { PaxosVariant } from '../time/index.ts'

/**
 * What the lease protocol asks of a store: single statements, with honest answers. Two implementations pass the same
 * contract (`testing/store-contract.ts`): Cassandra, and one in memory with Cassandra's semantics.
 *
 * Every conditional write may throw `StatementUnknownError`, as a normal case; `StoreUnavailableError` when it surely
 * was not sent; `StoreRefusedError` when no retry helps.
 */
export interface LeaseStore {
  readonly columns: StoreColumns
  /**
   * As the cluster's `paxos_variant` is set; v1, the careful one, where the store does not know. It bounds how long a
   * conditional write can contend before it is applied.
   */
  readonly paxosVariant: PaxosVariant
  /** Applied only where no owner is shown: a missing row, an expired one, a zombie. Sets every column. */
  acquire(write: AcquireWrite): Promise<CasAnswer>
  /** Applied only where owner and value are as given. Sets every column. */
  renew(write: RenewWrite): Promise<CasAnswer>
  /** Applied only where the owner is as given. */
  release(write: ReleaseWrite): Promise<CasAnswer>
  /**
   * Applied only where the owner is as given: puts a mark in its place. Sets every column and the row marker, so that
   * nothing of the row outlives the mark. Only in a table with an owner column.
   */
  quarantine(write: QuarantineWrite): Promise<CasAnswer>
  /** One row at SERIAL. */
  read(name: string): Promise<ReadAnswer>
  /** A cheap look at the row, from one replica: a hint, never believed. null: that replica shows no row. */
  hint(name: string): Promise<LeaseHint | null>
  /** Names in token order, by a quorum scan: candidates to read, never facts. */
  scan(range: ScanRange): Promise<ScanAnswer>
}

/** What one replica shows; a renewal changes neither. null: no such cell, or no such column. */
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
  /** The value last known to be stored; the condition. `value` is the next one. */
  knownValue: string | null
  /**
   * After how many milliseconds without an answer to give up, so that there is time to send it again; left out: as long
   * as a server could take to answer. A renewal may be sent beside one that is still under way: both do the same.
   */
  giveUpAfterMs?: number | undefined
}

export interface ReleaseWrite {
  name: string
  owner: string
}

export interface QuarantineWrite {
  name: string
  /** Whose place the mark takes; the condition. */
  owner: string
  mark: string
  value: string | null
  ttlSeconds: number
}

/** The server's answer to a conditional write. `found`: the condition's columns as they are; null: there is no row. */
export type CasAnswer =
  | { applied: true }
  | { applied: false; found: { owner: string | null; value?: string | null } | null }

/** The cells of one row, as Cassandra shows them. */
export interface LeaseCells {
  owner: string | null
  value: string | null
  /** writetime(owner), microseconds: the ballot. */
  ownerWritetime: bigint | null
  /** ttl(owner), whole seconds left; null with an owner: no expiry. */
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
