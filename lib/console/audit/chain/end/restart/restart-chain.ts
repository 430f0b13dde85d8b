/**
 * Restarts a chain after entries were changed or lost, or after its key was lost: by an entry `restart`, the first of a
 * bucket that is later than all written ones, signed with the key of now. Running consoles find it by themselves.
 *
 * 1. Read the end. 2. If the entry that was sent is there, the chain is restarted.
 * 3. Where the end is sound, consoles go on appending to it: it is sealed into the new bucket, as at the change of days. So each
 *    of them has either appended before the seal, or finds it and follows. A console that is first in the new bucket makes it
 *    an ordinary one, and that one is sealed in turn.
 * 4. Where the end is damaged, consoles append nothing, and what is appended there may vanish: the new bucket is apart.
 *
 * Guarantees: when this resolves, the entry was read back. Entries that are left before it stay where they are. Of operators
 * who restart the chain at once each gets an entry, one after the other. An entry whose append was not answered is in the chain
 * once at most. If this rejects, the chain is as sound as it was.
 * Does not guarantee: that a console appends nothing which finds a damaged end sound, because it has not seen what is lost.
 * Assumes: of an append that is conditional on a head, at most one ever takes effect, as heads do not come again.
 */
import { randomUUID } from 'node:crypto'
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import type { AuditChain, AuditEvent } from '../../../../../contract/audit.ts'
import type { Anchor } from '../../../anchors/anchor.ts'
import type { AuditKey } from '../../../anchors/audit-key.ts'
import type { Append, AuditStore } from '../../audit-store.ts'
import {
  compareBuckets,
  dayOf,
  originBucket,
  partAfter,
  partitionOf,
  randomPartAfter,
  ttlSecondsOf,
} from '../../bucket.ts'
import { genesisHash } from '../../chain-hash.ts'
import { type AuditRow, sealEvent, snapshotOf } from '../../entry-body.ts'
import { linkedRow } from '../../linked-row.ts'
import type { ChainEnd } from '../chain-end.ts'
import { emptyBucket, newestOwnBucket } from '../own-rows.ts'
import type { Seen, Spot } from '../seen.ts'
import type { Tail } from '../tail.ts'
import { type Apart, apartFrom } from './apart.ts'
import { silentEnd, soundTail, vanished } from './sound-end.ts'

export interface RestartOptions {
  store: AuditStore
  chain: AuditChain
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

type Answer = 'applied' | 'refused' | 'unanswered'

/** The entry `restart` that was sent last. */
interface Sent {
  bucket: string
  at: string
  row: AuditRow
  follows: Seen | null
  /** Unanswered, it may come yet. */
  answer: Answer | null
}

/** Buckets that are tried, the first one and random ones. */
const tries = 20
/** Looks at the end: running consoles may append between a look and the seal, many times. */
const looks = 500

/** @returns the place before the new entry. @throws Error: no bucket keeps what is written; StoreUnavailableError */
export function restartChain(options: RestartOptions): Promise<Seen> {
  return new ChainRestart(options).run()
}

const noBucketKeeps = `No bucket of today keeps what is written to it (${tries} were tried): another client writes the table. Change the password of the writer's role, and try again.`
const othersWereFirst =
  "Other writers were first each time, or Cassandra's answers were lost. The end of the log is as sound as it was. Try again."

class ChainRestart {
  readonly #options: RestartOptions
  readonly #end: ChainEnd
  /** The seals that were sent, by the bucket that each leads to: one whose answer was lost may have been applied. */
  readonly #seals = new Map<string, Seen>()
  /** Where the next seal leads; null: not chosen yet. */
  #next: string | null = null
  #sent: Sent | null = null
  /** How often an entry was sent. */
  #tried = 0

  constructor(options: RestartOptions) {
    this.#options = options
    this.#end = silentEnd(options)
  }

  async run(): Promise<Seen> {
    for (let looked = 0; ; looked++) {
      const tail = await soundTail(this.#end, this.#options.gap)
      // After the end was read: an entry that comes later finds the head elsewhere, or is sent once more as it is.
      if (this.#sent !== null && (await this.#isKept(this.#sent))) return this.#ended(this.#sent)
      const isSound = tail !== null && tail.last !== null && this.#end.alarm === null
      if (looked === looks || this.#tried === tries)
        throw new Error(isSound ? othersWereFirst : noBucketKeeps)
      if (isSound) await this.#join(tail)
      else await this.#begin()
    }
  }

  async #join(tail: Tail): Promise<void> {
    const isBegun = tail.seq === 0 && this.#seals.has(tail.bucket)
    const bucket = isBegun ? tail.bucket : await this.#seal(tail)
    if (bucket === null) return
    if (this.#sent?.bucket === bucket) return this.#send(this.#sent)
    const seal = this.#seals.get(bucket) as Seen
    await this.#send(this.#restart({ bucket, left: seal, isEndSound: true, follows: seal }))
  }

  /** @returns the bucket that the seal leads to, empty unless a console is faster; null: the end is to be read again */
  async #seal(tail: Tail): Promise<string | null> {
    const next = this.#next
    if (next === null || compareBuckets(next, tail.bucket) <= 0) {
      // Chosen before the end is read: consoles append meanwhile, and the time from that reading to the seal has to be short.
      this.#next = await this.#bucketAfter(tail)
      return null
    }
    const { wallMs } = this.#options.clock.now()
    const place = { bucket: tail.bucket, seq: tail.seq + 1 }
    const row = this.#row(place, { prev: tail.hash, event: sealEvent(next), atMs: wallMs })
    this.#seals.set(next, { ...place, hash: row.hash })
    const answer = await this.#append(tail.bucket, tail.from, {
      row,
      bytes: tail.bytes + Buffer.byteLength(row.body),
      next,
      previous: tail.previous ?? undefined,
    })
    // Where it leads is used by no other seal, unless it has failed for good.
    if (answer !== 'refused') this.#next = null
    if (answer !== 'applied') return null
    const { store, chain } = this.#options
    const { head, rows } = await store.appended(partitionOf(chain, tail.bucket), row.seq, 1)
    const isThere = rows[0]?.hash === row.hash && head.hash === row.hash && head.next === next
    if (!isThere) await vanished(this.#end, place)
    return isThere ? next : null
  }

  async #bucketAfter({ bucket }: Tail): Promise<string> {
    const { own } = this.#end
    const today = dayOf(this.#options.clock.now().wallMs)
    // Also after a bucket that a restart of an earlier version has made beside this end.
    const newest = (await newestOwnBucket(own))?.bucket ?? bucket
    const latest = compareBuckets(newest, bucket) > 0 ? newest : bucket
    return emptyBucket(own, bucket, partAfter(latest, today))
  }

  async #begin(): Promise<void> {
    const { anchored, clock } = this.#options
    const sent = this.#sent
    if (sent?.answer === 'unanswered') return this.#send(sent)
    const apart = await apartFrom(this.#end.own, { anchored, today: dayOf(clock.now().wallMs) })
    // Another client cannot have made this one unusable: it would have to make all of them so.
    const bucket = sent === null ? apart.bucket : randomPartAfter(sent.bucket)
    await this.#send(this.#restart({ ...apart, bucket }))
  }

  #restart({ bucket, left, isEndSound, follows }: Apart): Sent {
    const { actor, reason, gap, clock } = this.#options
    const { wallMs: atMs } = clock.now()
    const event = snapshotOf({
      act: 'restart',
      phase: 'event',
      id: randomUUID(),
      actor,
      on: { kind: 'console' },
      reason,
      before: { end: left, gap, isEndSound },
      after: { follows, tried: this.#tried },
      outcome: 'ok',
    })
    const row = this.#row({ bucket, seq: 1 }, { prev: follows?.hash ?? genesisHash, event, atMs })
    return { bucket, at: new Date(atMs).toISOString(), row, follows, answer: null }
  }

  #row({ bucket, seq }: Spot, { prev, event, atMs }: { prev: string; event: AuditEvent; atMs: number }) {
    const at = new Date(atMs).toISOString()
    const { chain, key } = this.#options
    return linkedRow(key, { chain, bucket, seq, at, entry: randomUUID() }, { prev, event })
  }

  async #send(sent: Sent): Promise<void> {
    const { bucket, row, follows } = sent
    this.#tried += 1
    const previous = follows?.bucket ?? originBucket
    const to = { row, bytes: Buffer.byteLength(row.body), next: undefined, previous }
    const answer = await this.#append(bucket, { seq: null, hash: null }, to)
    this.#sent = { ...sent, answer }
  }

  async #append(
    bucket: string,
    from: Append['from'],
    {
      row,
      ...more
    }: { row: AuditRow; bytes: number; next: string | undefined; previous: string | undefined },
  ): Promise<Answer> {
    const to = { seq: row.seq, hash: row.hash, ...more }
    const { store, chain } = this.#options
    try {
      const isApplied = await store.append({
        partition: partitionOf(chain, bucket),
        from,
        to,
        rows: [row],
        ttlSeconds: ttlSecondsOf(chain),
      })
      return isApplied ? 'applied' : 'refused'
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'statement-unknown')) return 'unanswered'
      throw thrown
    }
  }

  /** That an append was applied does not say that it is there: a deletion with a timestamp of the future hides it. */
  async #isKept({ bucket, row, answer }: Sent): Promise<boolean> {
    const { store, chain } = this.#options
    const { head, rows } = await store.appended(partitionOf(chain, bucket), 1, 2)
    if (answer === 'applied' && rows.length === 0) await vanished(this.#end, { bucket, seq: 1 })
    // A running console may have appended since.
    const isAtHead = (head.seq ?? 0) > 1 || (rows.length === 1 && head.hash === row.hash)
    return rows[0]?.hash === row.hash && isAtHead && (chain === 'refused' || head.ttlSeconds === null)
  }

  async #ended({ bucket, at, row }: Sent): Promise<Seen> {
    const { anchor, keyspace, chain, key } = this.#options
    await anchor({ at, keyspace, chain, bucket, seq: 1, hash: row.hash, keyId: key.id })
    return { bucket, seq: 0, hash: row.prev }
  }
}
