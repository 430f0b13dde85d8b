/**
 * Verifies the audit log: pure, over whatever gives it rows, so that the command and the tests run the same code.
 *
 * Guarantees: every entry that was changed, added, removed or moved without the key is named. So is an entry that was written
 * once more as it was, to make it vanish or stay by another timestamp or TTL. When the end of a chain was cut and its head set
 * back, the anchors show it, if the entries that were cut had been anchored. So does a restart, which names the last entry that
 * was left before it: what was lost by then is excused, a later cut is not.
 * Does not guarantee: anything against an attacker who has the key, or who changed the anchors too. Without anchors, that the
 * beginning of the chain of refusals is there: entries older than 30 days expire, and the cell `prev_bucket`, which is under no
 * hash, says what the first bucket follows. Who deletes a beginning and names an old day there is found by the anchors alone.
 * Goes on while entries are appended: anchors are read before it begins, and a bucket's head after its rows.
 */
import type { AuditChain } from '../../../contract/audit.ts'
import {
  bucketOf,
  compareBuckets,
  hasExpired,
  mayBeFirst,
  originBucket,
  partitionOf,
} from '../chain/bucket.ts'
import { genesisHash } from '../chain/chain-hash.ts'
import { mayEndAt, type Restart, restartOf } from '../chain/end/restart/restart-entry.ts'
import { type AuditRow, nextOfSeal } from '../chain/entry-body.ts'
import type { CellTimes } from './cell-times.ts'
import { type Body, checkEntry, type EntryCheck, isRestart, timeProblem } from './entry-check.ts'
import { KnownEntries } from './known-entries.ts'
import type { BucketHead, Difference, TimedRow, Verdict, VerifyOptions } from './verdict.ts'

export type {
  AuditSource,
  BucketHead,
  Difference,
  Finding,
  TimedRow,
  Verdict,
  VerifyOptions,
} from './verdict.ts'

/** The position of a walk along a bucket. */
interface Walk {
  seq: number
  hash: string
  /** The entry before was sound. */
  sound: boolean
  /** The newest timestamp of its cells; null: not known. */
  micros: number | null
}

export async function verify(options: VerifyOptions): Promise<Verdict> {
  const verdict: Verdict = { findings: [], buckets: 0, entries: 0, anchors: 0, foreign: 0 }
  const heads = await options.source.buckets()
  for (const { partition } of heads)
    if (bucketOf('main', partition) === null && bucketOf('refused', partition) === null) {
      const detail = `the partition ${JSON.stringify(partition)} is of no chain`
      verdict.findings.push({ chain: 'main', bucket: partition, seq: null, difference: 'order', detail })
    }
  for (const chain of ['main', 'refused'] as const) await new ChainWalk(chain, heads, options, verdict).walk()
  return verdict
}

class ChainWalk {
  readonly #chain: AuditChain
  readonly #options: VerifyOptions
  readonly #verdict: Verdict
  readonly #list: { bucket: string; head: BucketHead }[]
  readonly #known = new KnownEntries()
  /** By the bucket that each begins. */
  readonly #restarts = new Map<string, Restart>()

  constructor(chain: AuditChain, heads: readonly BucketHead[], options: VerifyOptions, verdict: Verdict) {
    this.#chain = chain
    this.#options = options
    this.#verdict = verdict
    this.#list = heads
      .flatMap((head) => {
        const bucket = bucketOf(chain, head.partition)
        return bucket === null ? [] : [{ bucket, head }]
      })
      .sort((a, b) => compareBuckets(a.bucket, b.bucket))
    for (const anchor of options.anchors) {
      const { chain: of, bucket } = anchor
      if (of === chain && this.#inRange(bucket) && !this.#mayHaveExpired(bucket))
        this.#known.add(anchor, null)
    }
  }

  async walk(): Promise<void> {
    await this.#findRestarts()
    const first = this.#list[0]
    if (
      first !== undefined &&
      first.bucket !== originBucket &&
      this.#inRange(first.bucket) &&
      !this.#isExpired(first.bucket, first.head)
    )
      this.#find(first.bucket, null, 'missing', 'it is the first that there is; what came before it is gone')
    for (const [i, { bucket }] of this.#list.entries()) {
      if (!this.#inRange(bucket)) continue
      this.#verdict.buckets += 1
      await this.#bucket(i)
    }
    const there = new Set(this.#list.map(({ bucket }) => bucket))
    this.#verdict.anchors += this.#known.anchors
    for (const bucket of this.#known.buckets())
      if (!there.has(bucket))
        this.#find(bucket, 1, 'truncated', `the whole bucket is gone; ${this.#known.after(bucket, 0)}`)
  }

  async #findRestarts(): Promise<void> {
    const { from = '' } = this.#options
    for (const { bucket } of this.#list) {
      // One after the requested days may name an entry of these days.
      if (bucket < from) continue
      const restart = await this.#restartIn(bucket)
      if (restart === null) continue
      this.#restarts.set(bucket, restart)
      const { left } = restart
      if (left !== null && this.#inRange(left.bucket) && !this.#mayHaveExpired(left.bucket))
        this.#known.add(left, bucket)
    }
  }

  async #bucket(index: number): Promise<void> {
    const { bucket } = this.#list[index] as { bucket: string }
    const before = this.#list[index - 1]
    const after = this.#list[index + 1]
    const partition = partitionOf(this.#chain, bucket)
    // The first entry is bound to the seal of the bucket before it, unless that one names another.
    const sound = before === undefined ? bucket === originBucket : before.head.next === bucket
    const walk: Walk = { seq: 0, hash: before?.head.hash ?? genesisHash, sound, micros: null }
    let last: { row: AuditRow; body: Body | null } | null = null
    let head: BucketHead | null = null
    // Entries may be appended meanwhile: the head is read after the rows, and rows again if it is further on.
    for (let more = true, from = lowest; more; from = walk.seq + 1) {
      more = false
      for await (const row of this.#options.source.rows(partition, from)) {
        last = { row, body: this.#row(bucket, row, walk) }
        more = true
      }
      head = await this.#options.source.head(partition)
      if ((head?.seq ?? 0) <= walk.seq) break
    }
    this.#head(bucket, head, walk)
    if (head?.times) this.#times(bucket, null, head.times, null)
    this.#boundary(bucket, head, last, { before, after })
    const beyond = this.#known.after(bucket, walk.seq)
    if (beyond !== null) this.#find(bucket, walk.seq + 1, 'truncated', `the bucket ends before it; ${beyond}`)
  }

  /** Checks the entry after `walk`, and moves `walk` to it. */
  #row(bucket: string, row: TimedRow, walk: Walk): Body | null {
    this.#verdict.entries += 1
    if (this.#verdict.entries % 500 === 0) this.#options.progress?.(this.#verdict.entries)
    const { seq } = row
    if (seq < 1) {
      this.#find(bucket, seq, 'order', 'entries are counted from 1')
      return null
    }
    const gap = seq - walk.seq - 1
    if (gap > 0 && !(walk.seq === 0 && this.#mayHaveExpired(bucket))) {
      const which = gap === 1 ? 'it is' : `${gap} entries, to ${seq - 1}, are`
      this.#find(bucket, walk.seq + 1, 'missing', `${which} not there`)
    }
    const { body, difference, detail } = this.#own(bucket, row)
    if (difference === 'key') this.#verdict.foreign += 1
    if (difference !== null) this.#find(bucket, seq, difference, detail)
    // When an operator restarts a chain whose end is gone, the new entry cannot name the one before.
    else if (walk.sound && gap === 0 && row.prev !== walk.hash && !isRestart(seq, body))
      this.#find(bucket, seq, 'link', 'it does not follow the entry before it')
    // A damaged entry is named already. A sound entry that was not the anchored one is another entry.
    const contradiction =
      difference === null ? this.#known.contradiction({ bucket, seq, hash: row.hash }) : null
    if (contradiction !== null) this.#find(bucket, seq, 'anchor', contradiction)
    const micros = row.times?.newestMicros ?? null
    const before = walk.sound && difference === null ? walk.micros : null
    if (row.times) this.#times(bucket, seq, row.times, before)
    Object.assign(walk, { seq, hash: row.hash, sound: difference === null, micros })
    return body
  }

  #own(bucket: string, row: AuditRow): EntryCheck {
    return checkEntry(row, { chain: this.#chain, bucket }, this.#options.keys)
  }

  #times(bucket: string, seq: number | null, times: CellTimes, beforeMicros: number | null): void {
    const { nowMs } = this.#options
    const problem = timeProblem(times, { chain: this.#chain, nowMs, beforeMicros })
    if (problem !== null) this.#find(bucket, seq, 'time', `${seq === null ? 'the head' : 'it'} ${problem}`)
  }

  #head(bucket: string, head: BucketHead | null, walk: { seq: number; hash: string }): void {
    const seq = head?.seq ?? 0
    if (seq > walk.seq)
      this.#find(bucket, walk.seq + 1, 'truncated', `the head says that there are entries up to ${seq}`)
    else if (seq < walk.seq || head?.hash !== walk.hash)
      this.#find(bucket, walk.seq, 'link', `the head is not at this entry, but at ${seq}`)
  }

  /** How it follows the bucket before it, and ends. */
  #boundary(
    bucket: string,
    head: BucketHead | null,
    last: { row: AuditRow; body: Body | null } | null,
    { before, after }: { before: { bucket: string } | undefined; after: { bucket: string } | undefined },
  ): void {
    if (last === null) return
    const previous = this.#previousOf(bucket, before?.bucket ?? null)
    if (previous !== undefined && (head?.previous ?? null) !== previous && !this.#isExpired(bucket, head))
      this.#find(
        bucket,
        null,
        'order',
        `it says that it follows ${head?.previous ?? 'none'}, and not ${previous ?? 'none'}`,
      )
    const next = last.body === null ? null : nextOfSeal(last.body)
    if (next !== (head?.next ?? null))
      this.#find(
        bucket,
        last.row.seq,
        'link',
        `the head says that ${head?.next ?? 'no bucket'} is next, the last entry ${next ?? 'none'}`,
      )
    if (after === undefined) return
    const restart = this.#restarts.get(after.bucket)
    if (next === null && restart !== undefined && mayEndAt(restart, { bucket, seq: last.row.seq + 1 })) return
    if (next === null)
      this.#find(
        bucket,
        last.row.seq + 1,
        'truncated',
        `there is a later bucket, ${after.bucket}, and no seal`,
      )
    else if (next !== after.bucket)
      this.#find(
        next,
        null,
        'missing',
        `it is not there; it was to follow ${bucket}, and ${after.bucket} does`,
      )
  }

  /** Whether entries of a bucket may be gone by themselves: those of the chain of refusals do not stay. */
  #mayHaveExpired(bucket: string): boolean {
    return this.#chain === 'refused' && hasExpired(bucket, this.#options.nowMs)
  }

  /** Whether the bucket before this one may be gone by itself, or the cell that names it. */
  #isExpired(bucket: string, head: BucketHead | null): boolean {
    return this.#chain === 'refused' && mayBeFirst(bucket, head?.previous ?? null, this.#options.nowMs)
  }

  /** The bucket that this one is to name as the one before it; null: none. undefined: its restart does not say. */
  #previousOf(bucket: string, before: string | null): string | null | undefined {
    const restart = this.#restarts.get(bucket)
    if (restart === undefined) return before
    return restart.follows === null ? originBucket : restart.follows?.bucket
  }

  /** What an operator signed who restarted the chain with this bucket; null: none did. */
  async #restartIn(bucket: string): Promise<Restart | null> {
    for await (const row of this.#options.source.rows(partitionOf(this.#chain, bucket), 1)) {
      const { body, difference } = this.#own(bucket, row)
      return body !== null && difference === null && isRestart(row.seq, body) ? restartOf(bucket, body) : null
    }
    return null
  }

  #inRange(bucket: string): boolean {
    const { from = '', to = '9999-99-99' } = this.#options
    const day = /^\d{4}-\d{2}-\d{2}/.test(bucket) ? bucket.slice(0, 10) : ''
    return day >= from && day <= to
  }

  #find(bucket: string, seq: number | null, difference: Difference, detail: string): void {
    this.#verdict.findings.push({ chain: this.#chain, bucket, seq, difference, detail })
  }
}

/** Cassandra's smallest int: an attacker may have put rows before the first. */
const lowest = -(2 ** 31)
