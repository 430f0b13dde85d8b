/**
 * Restarts the main chain after its end was damaged or its key was lost: one entry in a bucket that is later than all
 * written ones, signed with the key of now. Running consoles find it by themselves.
 *
 * Guarantees: when this resolves, the entry was read back. Entries that are left before it stay where they are.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from 'leasehold/time'
import type { AuditEvent } from '../../../../../contract/audit.ts'
import type { Anchor } from '../../../anchors/anchor.ts'
import type { AuditKey } from '../../../anchors/audit-key.ts'
import type { AuditStore } from '../../audit-store.ts'
import {
  compareBuckets,
  dayOf,
  dayOfBucket,
  isWithinReach,
  originBucket,
  partAfter,
  partitionOf,
  randomPartAfter,
} from '../../bucket.ts'
import { entryHash, genesisHash } from '../../chain-hash.ts'
import { bodyOf, snapshotOf } from '../../entry-body.ts'
import { bucketsOf, isOursWith, newestOwnBucket, type OwnChain } from '../own-rows.ts'
import type { Seen, Spot } from '../seen.ts'
import { findTail, type Tail } from '../tail.ts'

interface RestartOptions {
  store: AuditStore
  keyspace: string
  key: AuditKey
  clock: Clock
  /** The newest entry that the anchors know of. */
  anchored: Seen | null
  /** The first place that cannot be read: each reader that comes there goes on here. null: none comes there any more. */
  gap: Spot | null
  anchor(anchor: Anchor): Promise<void>
  actor: AuditEvent['actor']
  reason: string
}

/** Buckets that are tried, the first one and random ones. */
const tries = 20

/** @returns the place before the new entry. @throws Error: no bucket keeps what is written; StoreUnavailableError */
export async function restartChain(options: RestartOptions): Promise<Seen> {
  const { store, keyspace, key, clock, anchored, anchor, actor, reason, gap } = options
  const atMs = clock.now().wallMs
  const own: OwnChain = { store, chain: 'main', isOurs: isOursWith(key, 'main') }
  const tail = await findTail(own, null)
  const left = lastOf(tail)
  // A row that another client has put at the end need not stay; one that a console wrote must (restart-entry.ts).
  const isEndSound = tail.last !== null && own.isOurs(tail.last.bucket, tail.last.row)
  const today = dayOf(atMs)
  // A bucket of a later day, or one beside those of this key, was not written by a console. Those of a lost key are older.
  const mayBeOlder = (each: string) => dayOfBucket(each) <= today && isWithinReach(each)
  const older = (await bucketsOf(own)).filter(mayBeOlder).at(-1) ?? today
  const newest = (await newestOwnBucket(own))?.bucket ?? null
  const isLeftOfLog = left !== null && (newest !== null || mayBeOlder(left.bucket))
  const follows = anchored ?? (isLeftOfLog ? left : null)
  // Today's first one may be what was deleted.
  const known = [newest ?? older, follows?.bucket ?? today, today]
  let bucket = partAfter(known.sort(compareBuckets).at(-1) as string, today)
  for (let tried = 0; tried < tries; tried++) {
    const event = snapshotOf({
      act: 'restart',
      phase: 'event',
      id: randomUUID(),
      actor,
      on: { kind: 'console' },
      reason,
      before: { end: left, gap, isEndSound },
      after: { follows, tried },
      outcome: 'ok',
    })
    const entry = randomUUID()
    const prev = follows?.hash ?? genesisHash
    const at = new Date(atMs).toISOString()
    const body = bodyOf({ chain: 'main', bucket, seq: 1, at, keyId: key.id, entry }, event)
    const row = { seq: 1, id: entry, body, prev, hash: entryHash(key.bytes, prev, body) }
    const partition = partitionOf('main', bucket)
    const to = {
      seq: 1,
      hash: row.hash,
      bytes: Buffer.byteLength(body),
      previous: follows?.bucket ?? originBucket,
    }
    const append = { partition, from: { seq: null, hash: null }, to, rows: [row], ttlSeconds: null }
    if (await store.append(append)) {
      const { head, rows } = await store.appended(partition, 1, 2)
      if (
        rows.length === 1 &&
        rows[0]?.hash === row.hash &&
        head.hash === row.hash &&
        head.ttlSeconds === null
      ) {
        await anchor({ at, keyspace, chain: 'main', bucket, seq: 1, hash: row.hash, keyId: key.id })
        return { bucket, seq: 0, hash: prev }
      }
    }
    // Another client cannot have made this one unusable: it would have to make all of them so.
    bucket = randomPartAfter(bucket)
  }
  throw new Error(
    `No bucket of today keeps what is written to it (${tries} were tried): another client writes the table. Change the password of the writer's role, and try again.`,
  )
}

const lastOf = ({ last }: Tail): Seen | null =>
  last === null ? null : { bucket: last.bucket, seq: last.row.seq, hash: last.row.hash }
