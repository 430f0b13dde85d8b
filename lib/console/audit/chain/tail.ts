import type { AuditChain } from '../../../contract/audit.ts'
import type { AuditStore, StoredHead } from './audit-store.ts'
import { bucketOf, compareBuckets, isBucket, originBucket, partitionOf } from './bucket.ts'
import { genesisHash } from './chain-hash.ts'

/** The end of a chain: where its next entry goes. */
export interface Tail {
  bucket: string
  /** The head as stored, which the next append is conditional on. */
  from: Pick<StoredHead, 'seq' | 'hash'>
  /** The last entry of the bucket, 0 before the first; and the hash that the next one is bound to. */
  seq: number
  hash: string
  bytes: number
  /** Of a bucket without an entry: the sealed one before it. */
  previous: string | null
  /** The head is not where the last row is: somebody has changed one of them. */
  damaged: boolean
}

/**
 * Follows the list of buckets to its end.
 * @param hint a bucket that is known to have been written; null: the newest one is looked for
 */
export async function findTail(store: AuditStore, chain: AuditChain, hint: string | null): Promise<Tail> {
  let bucket = hint ?? (await newestBucket(store, chain))
  let sealed: { bucket: string; hash: string } | null = null
  for (;;) {
    const head = await store.head(partitionOf(chain, bucket))
    if (head.seq === null && head.last === null) {
      // What we knew is gone. Whatever is left is gone on with: `verify` says what is missing.
      if (sealed === null && hint !== null) return findTail(store, chain, null)
      const { bucket: previous, hash } = sealed ?? { bucket: null, hash: genesisHash }
      return { bucket, from: { seq: null, hash: null }, seq: 0, hash, bytes: 0, previous, damaged: false }
    }
    // A successor that is not later would lead in a circle; nobody with the key has written it.
    const isList = head.next !== null && isBucket(head.next) && compareBuckets(head.next, bucket) > 0
    if (head.next === null || !isList) return endOf(bucket, head)
    sealed = { bucket, hash: head.hash ?? genesisHash }
    bucket = head.next
  }
}

/** After the last row or the head, whichever is later, so that nothing that is there is written over. */
function endOf(bucket: string, head: StoredHead): Tail {
  const { seq, hash, bytes, last } = head
  const atHead = { seq: seq ?? 0, hash: hash ?? genesisHash }
  const end = last !== null && last.seq > atHead.seq ? last : atHead
  const damaged = last?.seq !== seq || last?.hash !== hash || head.next !== null
  return { bucket, from: { seq, hash }, ...end, bytes, previous: null, damaged }
}

async function newestBucket(store: AuditStore, chain: AuditChain): Promise<string> {
  const buckets = (await store.partitions()).flatMap((partition) => bucketOf(chain, partition) ?? [])
  return buckets.sort(compareBuckets).at(-1) ?? originBucket
}
