/** Which rows and which buckets of the table are this chain's, and which another client has planted. */
import type { AuditChain } from '../../../../contract/audit.ts'
import type { AuditKey } from '../../anchors/audit-key.ts'
import type { AuditStore, StoredHead } from '../audit-store.ts'
import { bucketOf, compareBuckets, originBucket, partitionOf, randomPartAfter } from '../bucket.ts'
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

/** Oldest first, including those that no console wrote. */
export async function bucketsOf({ store, chain }: Pick<OwnChain, 'store' | 'chain'>): Promise<string[]> {
  const buckets = (await store.partitions()).flatMap((partition) => bucketOf(chain, partition) ?? [])
  return buckets.sort(compareBuckets)
}

const readAtOnce = 32

/**
 * What `find` gives for the first of these buckets for which it gives anything. The first bucket is mostly the one; after
 * it many are read at once, because another client may have planted thousands.
 */
export async function firstFound<T>(
  buckets: readonly string[],
  find: (bucket: string) => Promise<T | null>,
): Promise<T | null> {
  for (let from = 0, to = 1; from < buckets.length; from = to, to += readAtOnce) {
    const found = await Promise.all(buckets.slice(from, to).map(find))
    const first = found.find((each) => each !== null)
    if (first !== undefined) return first
  }
  return null
}

/** The newest bucket that is this chain's, and its head; null: none is. */
export async function newestOwnBucket(own: OwnChain): Promise<{ bucket: string; head: StoredHead } | null> {
  const { store, chain, isOurs } = own
  return firstFound((await bucketsOf(own)).toReversed(), async (bucket) => {
    const head = await store.head(partitionOf(chain, bucket))
    // One whose last row was changed is recognised by its first.
    const isOwn = (head.last !== null && isOurs(bucket, head.last)) || (await isOwnBucket(own, bucket))
    return isOwn ? { bucket, head } : null
  })
}

/** The first bucket after this one that is not the chain's; null: none. */
export async function plantedAfter(own: OwnChain, last: string): Promise<string | null> {
  const later = (await bucketsOf(own)).filter((bucket) => compareBuckets(bucket, last) > 0)
  return firstFound(later, async (bucket) => ((await isOwnBucket(own, bucket)) ? null : bucket))
}

const emptyTries = 5

/**
 * Where the chain goes on after a bucket: a part of the day of `next` with a random number, which has nothing in it. Another
 * client may have planted or deleted any bucket ahead of its time, but cannot know which one this will be. The first day of
 * a log has no number: nothing is known of a log before it begins.
 */
export async function emptyBucket(
  { store, chain }: Pick<OwnChain, 'store' | 'chain'>,
  after: string,
  next: string,
): Promise<string> {
  let bucket = after === originBucket ? next : randomPartAfter(next)
  for (let tried = 0; tried < emptyTries; tried++) {
    const { seq, last } = await store.head(partitionOf(chain, bucket))
    if (seq === null && last === null) break
    bucket = randomPartAfter(bucket)
  }
  return bucket
}
