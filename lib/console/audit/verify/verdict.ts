import type { AuditChain } from '../../../contract/audit.ts'
import type { Anchor } from '../anchors/anchor.ts'
import type { AuditRow } from '../chain/entry-body.ts'
import type { CellTimes } from './cell-times.ts'

/**
 * What differs. `key`: it says that it was written with a key that was not given. `time`: its cells have a TTL, or
 * timestamps that no append gives them.
 */
export type Difference = 'content' | 'link' | 'missing' | 'order' | 'truncated' | 'anchor' | 'key' | 'time'

export interface Finding {
  chain: AuditChain
  bucket: string
  /** null: of the bucket as a whole. */
  seq: number | null
  difference: Difference
  detail: string
}

/** The static columns of a bucket. */
export interface BucketHead {
  partition: string
  seq: number | null
  hash: string | null
  next: string | null
  previous: string | null
  /** null: not known. */
  times?: CellTimes | null
}

/** null: not known. */
export type TimedRow = AuditRow & { times?: CellTimes | null }

export interface AuditSource {
  /** Of both chains, in any order. */
  buckets(): Promise<BucketHead[]>
  head(partition: string): Promise<BucketHead | null>
  /** Ascending, from this sequence number on. */
  rows(partition: string, fromSeq: number): AsyncIterable<TimedRow>
}

export interface VerifyOptions {
  source: AuditSource
  /** By their ids. */
  keys: ReadonlyMap<string, Buffer>
  anchors: readonly Anchor[]
  /** When it is, in milliseconds since the epoch. */
  nowMs: number
  /** Days, both inclusive; all unless given. */
  from?: string | undefined
  to?: string | undefined
  /** Called now and then with the number of entries so far. */
  progress?: (entries: number) => void
}

export interface Verdict {
  findings: Finding[]
  buckets: number
  entries: number
  /** Anchors that were compared. */
  anchors: number
  /** Entries that name none of the keys. */
  foreign: number
}
