/** Which rows and which buckets of the table are this chain's, and which another client has planted. */
import type { AuditChain } from '../../../../contract/audit.ts'
import type { AuditKey } from '../../anchors/audit-key.ts'
import type { AuditStore, StoredHead } from '../audit-store.ts'
import { bucketOf, compareBuckets, dayOfBucket, partAfter, partitionOf } from '../bucket.ts'
import { entryHash } from '../chain-hash.ts'
import { type AuditRow, entryOf } from '../entry-body.ts'

/** A chain, and how its own rows are recognised. */
export interface OwnChain {
  store: AuditStore
  chain: AuditChain
  /** Whether a holder of the key wrote this row, for this place. */
  isOurs(bucket: string, row: AuditRow): boolean
}

export const isOursWith =
  (key: AuditKey, chain: AuditChain): OwnChain['isOurs'] =>
  (bucket, row) => {
    const entry = entryOf(row)
    return (
      entry !== null &&
      entryHash(key.bytes, row.prev, row.body) === row.hash &&
      entry.chain === chain &&
      entry.bucket === bucket &&
      entry.seq === row.seq
    )
  }

/** Whether the first row of a bucket is one that a holder of the key wrote there: others cannot make one. */
export async function isOwnBucket({ store, chain, isOurs }: OwnChain, bucket: string): Promise<boolean> {
  const [first] = await store.rowsFrom(partitionOf(chain, bucket), 1, 1)
  return first !== undefined && isOurs(bucket, first)
}

/** Oldest first, whoever wrote them. */
export async function bucketsOf({ store, chain }: Pick<OwnChain, 'store' | 'chain'>): Promise<string[]> {
  const buckets = (await store.partitions()).flatMap((partition) => bucketOf(chain, partition) ?? [])
  return buckets.sort(compareBuckets)
}

/** The newest bucket that is this chain's, and its head; null: none is. */
export async function newestOwnBucket(own: OwnChain): Promise<{ bucket: string; head: StoredHead } | null> {
  const { store, chain, isOurs } = own
  for (const bucket of (await bucketsOf(own)).toReversed()) {
    const head = await store.head(partitionOf(chain, bucket))
    // One whose last row was changed is recognised by its first.
    if ((head.last !== null && isOurs(bucket, head.last)) || (await isOwnBucket(own, bucket)))
      return { bucket, head }
  }
  return null
}

/** The first bucket after this one that is not the chain's; null: none. */
export async function plantedAfter(own: OwnChain, last: string): Promise<string | null> {
  for (const bucket of await bucketsOf(own))
    if (compareBuckets(bucket, last) > 0 && !(await isOwnBucket(own, bucket))) return bucket
  return null
}

const emptyTries = 100

/** This bucket, or a later part of its day: one that has something in it before its time was planted by another client. */
export async function emptyFrom(
  { store, chain }: Pick<OwnChain, 'store' | 'chain'>,
  first: string,
): Promise<string> {
  let bucket = first
  for (let tried = 0; tried < emptyTries; tried++) {
    const { seq, last } = await store.head(partitionOf(chain, bucket))
    if (seq === null && last === null) break
    bucket = partAfter(bucket, dayOfBucket(first))
  }
  return bucket
}
