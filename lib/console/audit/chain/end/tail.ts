import type { CassandraSession } from 'leasehold/cassandra'
import type { AuditKey } from '../../anchors/audit-key.ts'
import { CassandraAuditStore, type StoredHead } from '../audit-store.ts'
import { compareBuckets, isBucket, originBucket, partitionOf } from '../bucket.ts'
import { genesisHash } from '../chain-hash.ts'
import { type AuditRow, entryOf, nextOfSeal } from '../entry-body.ts'
import { bucketsOf, isOursWith, newestOwnBucket, type OwnChain } from './own-rows.ts'
import type { Seen } from './seen.ts'

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
  /** The last entry: of a bucket without one, the seal of the bucket before it. null: there is none at all. */
  last: { bucket: string; row: AuditRow } | null
  /** The head is not at the last entry, or names a next bucket that no seal names: one was changed past the protocol. */
  damaged: boolean
  /** The head or the last entry will vanish; null: both stay. */
  ttlSeconds: number | null
}

/**
 * Follows the list of buckets to its end.
 * @param hint a bucket that is known to have been written; null: the newest one of the chain is looked for
 */
export async function findTail(own: OwnChain, hint: string | null): Promise<Tail> {
  const { store, chain } = own
  const newest = hint === null ? await newestOwnBucket(own) : null
  // Those of another key are looked at where none is this one's.
  let bucket = hint ?? newest?.bucket ?? (await bucketsOf(own)).at(-1) ?? originBucket
  let read = newest?.head ?? null
  let sealed: { bucket: string; head: StoredHead } | null = null
  for (;;) {
    const head: StoredHead = read ?? (await store.head(partitionOf(chain, bucket)))
    read = null
    if (head.seq === null && head.last === null) {
      // An entry that this process has seen is gone. New entries follow the rest of the chain: `verify` says what is
      // missing.
      if (sealed === null && hint !== null) return findTail(own, null)
      return beginOf(bucket, sealed)
    }
    // A successor that is not later would lead in a circle: it was not written with the key.
    const isList = head.next !== null && isBucket(head.next) && compareBuckets(head.next, bucket) > 0
    if (head.next === null || !isList) return endOf(bucket, head)
    sealed = { bucket, head }
    bucket = head.next
  }
}

/** After the last row or the head, whichever is later, so that no existing row is overwritten. */
function endOf(bucket: string, head: StoredHead): Tail {
  const { seq, hash, bytes, last } = head
  const atHead = { seq: seq ?? 0, hash: hash ?? genesisHash }
  const end = last !== null && last.seq > atHead.seq ? { seq: last.seq, hash: last.hash } : atHead
  const damaged = last?.seq !== seq || last?.hash !== hash || head.next !== null
  const from = { seq, hash }
  const row = last === null ? null : { bucket, row: last }
  return { bucket, from, ...end, bytes, previous: null, last: row, damaged, ttlSeconds: head.ttlSeconds }
}

/** Before the first entry of a bucket. */
function beginOf(bucket: string, sealed: { bucket: string; head: StoredHead } | null): Tail {
  const begin = { bucket, from: { seq: null, hash: null }, seq: 0, bytes: 0 }
  if (sealed === null)
    return { ...begin, hash: genesisHash, previous: null, last: null, damaged: false, ttlSeconds: null }
  const { hash, last, ttlSeconds } = sealed.head
  return {
    ...begin,
    hash: hash ?? genesisHash,
    previous: sealed.bucket,
    last: last === null ? null : { bucket: sealed.bucket, row: last },
    damaged: !isSealed(sealed.head),
    ttlSeconds,
  }
}

/** Its last entry says what the head says: which bucket is next. */
function isSealed({ seq, hash, next, last }: StoredHead): boolean {
  const entry = last === null ? null : entryOf(last)
  return entry !== null && last?.seq === seq && last?.hash === hash && nextOfSeal(entry) === next
}

/** The last entry of the main chain; null: it has none. */
export async function endOfMain(session: CassandraSession, key: AuditKey): Promise<Seen | null> {
  const store = new CassandraAuditStore(session)
  const { last } = await findTail({ store, chain: 'main', isOurs: isOursWith(key, 'main') }, null)
  return last === null ? null : { bucket: last.bucket, seq: last.row.seq, hash: last.row.hash }
}
