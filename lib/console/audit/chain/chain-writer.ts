/**
 * Appends to one chain, from one process; others may append at the same time.
 *
 * Guarantees: an entry for which `append` resolves is in the chain once, after all that was there when it was asked for;
 * one handed to `appendUntilWritten` will be, as long as this process lives. Sequence numbers have no gap. An entry
 * whose append was not answered, or not read back, is looked for before it is tried again. Of one act, entries stand in the
 * order in which they were handed in. Of several acts, each batch takes some entries that acts of people wait for, some that
 * acts of programs wait for, and some that may be written later: however many there are of one kind, they hold up no other
 * (append-queue.ts).
 * Does not guarantee: when `append` rejects, that the entry is not there, or will not come. Entries on an end that is damaged
 * are appended once more after the restart of the chain.
 * Assumes: of an append that is conditional on a head, at most one ever takes effect, as heads do not come again.
 *
 * 1. Read the head, at SERIAL. 2. Look for entries that may be there, from the first place that was tried:
 *    after the head was read, so that, if it is not there, either the head is still where that try wants it, and our
 *    next one excludes it, or that try has failed for good. 3. Seal the bucket when its day is over, or it is full.
 * 4. Append what waits, up to 16 entries in one batch. 5. Anchor the new head, then resolve the callers' promises.
 */
import { randomUUID } from 'node:crypto'
import { isLeaseholdError, StoreUnavailableError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { AuditChain, AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import type { Log } from '../../http/log/log.ts'
import type { Head } from '../anchors/anchor.ts'
import type { AuditKey } from '../anchors/audit-key.ts'
import { AppendQueue, type Item, markTried } from './append-queue.ts'
import type { AuditStore } from './audit-store.ts'
import { bucketAfter, bytesPerBucket, entriesPerBucket, partitionOf, ttlSecondsOf } from './bucket.ts'
import { AuditDamagedError } from './end/chain-alarm.ts'
import type { ChainEnd } from './end/chain-end.ts'
import { emptyBucket } from './end/own-rows.ts'
import type { Tail } from './end/tail.ts'
import { type AuditRow, sealEvent } from './entry-body.ts'
import { linkedRow } from './linked-row.ts'

export interface ChainWriterOptions {
  store: AuditStore
  chain: AuditChain
  key: AuditKey
  clock: Clock
  timer: Timer
  log: Log
  /** Shared with the process's follower of the chain. */
  end: ChainEnd
  /** Keeps the head outside of Cassandra. */
  anchor(head: Head): Promise<void>
  /** After how long `append` gives up, in milliseconds. Default `defaultAppendWithinMs`. */
  appendWithinMs?: number | undefined
}

/** Longer than the statements of an append may take. An act follows its intent this much later at most: recovery.ts. */
export const defaultAppendWithinMs = 40_000
const batchEntries = 16
const batchBytes = 128 * 1024
/** Two hashes and an id. */
const rowBytes = 164
const lookAtOnce = 500
const unknownPauseMs = 50
const backOffMs = (failures: number) => Math.min(5_000, 125 * 2 ** failures)

export class ChainWriter {
  readonly #options: ChainWriterOptions
  readonly #queue = new AppendQueue()
  #tail: Tail | null = null
  /** Of the end, when the tail was found: the follower may raise an alarm while nothing is written. */
  #raised = 0
  #running = false
  #closed = false
  #pause = new AbortController()
  #conflicts = 0

  constructor(options: ChainWriterOptions) {
    this.#options = options
  }

  /** @throws StoreUnavailableError, StoreRefusedError: not written, or not known to be */
  append(event: AuditEvent): Promise<AuditEntry> {
    const { timer, appendWithinMs = defaultAppendWithinMs } = this.#options
    const [item, written] = this.#add(event, false)
    const cancel = timer.after(appendWithinMs, () => {
      this.#queue.remove([item])
      item.reject(
        new StoreUnavailableError('The audit log could not be written in time; nothing else was done.'),
      )
    })
    return written.finally(cancel)
  }

  /** Never rejects. */
  appendUntilWritten(event: AuditEvent): Promise<AuditEntry> {
    return this.#add(event, true)[1]
  }

  /** What `appendUntilWritten` was given, and is not written yet. */
  get pending(): AuditEvent[] {
    return this.#queue.pending
  }

  /** No new append begins. */
  close(): void {
    this.#closed = true
    this.#pause.abort()
  }

  #add(event: AuditEvent, untilWritten: boolean): [Item, Promise<AuditEntry>] {
    const added = this.#queue.add(event, this.#options.clock.now().wallMs, untilWritten)
    // An act waits for it: the store is asked again now, whatever the pause.
    if (!untilWritten) this.#pause.abort()
    if (!this.#running) void this.#run()
    return added
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let failures = 0; !this.#queue.isEmpty && !this.#closed; ) {
      try {
        await this.#round()
        failures = 0
      } catch (error) {
        this.#tail = null
        this.#reject(error)
        const { timer, log, chain } = this.#options
        if (failures++ === 0)
          log.warn({ error, chain, pending: this.pending.length }, 'audit: not written yet')
        if (this.#queue.isEmpty) break
        this.#pause = new AbortController()
        await timer.sleep(backOffMs(failures), this.#pause.signal)
      }
    }
    this.#running = false
  }

  /** Of those who wait: all whose entry was not sent at all; one that may be there is looked for until its time is up. */
  #reject(error: unknown): void {
    const passing = isLeaseholdError(error, 'store-unavailable')
    this.#queue.rejectWaiting(error, ({ tried }) => passing && tried !== null)
  }

  async #round(): Promise<void> {
    const { end } = this.#options
    if (this.#raised !== end.raised) this.#tail = null
    if (this.#tail === null) {
      this.#raised = end.raised
      this.#tail = await end.find()
    }
    const tail = this.#tail
    await this.#settle()
    const next = bucketAfter(
      tail.bucket,
      { entries: tail.seq, bytes: tail.bytes },
      this.#options.clock.now().wallMs,
    )
    if (next !== null) return this.#seal(tail, await emptyBucket(this.#options, tail.bucket, next))
    const items = this.#queue.next(batchEntries)
    const rows = this.#rows(tail, items)
    if (rows.length > 0) await this.#write(tail, items.slice(0, rows.length), rows)
  }

  /** Looks for entries whose append was not answered, or not read back. */
  async #settle(): Promise<void> {
    const { store, chain } = this.#options
    for (const item of this.#queue.items) {
      if (item.tried === null) continue
      const { bucket, seq } = item.tried
      const found = new Map<string, AuditRow>()
      for (let from = seq; ; ) {
        const rows = await store.rowsFrom(partitionOf(chain, bucket), from, lookAtOnce)
        for (const row of rows) found.set(row.id, row)
        if (rows.length < lookAtOnce) break
        from = (rows.at(-1) as AuditRow).seq + 1
      }
      if (found.size === 0) continue
      // The place is taken: a try for it has either succeeded, or never will.
      for (const other of this.#queue.items) {
        if (other.tried?.bucket !== bucket || other.tried.seq < seq) continue
        const row = found.get(other.entry)
        if (row === undefined) other.tried = null
        else await this.#written([other], [row], bucket)
      }
    }
  }

  /** The rows of as many of these items as go into one batch, and into this bucket. */
  #rows(tail: Tail, items: readonly Item[]): AuditRow[] {
    const { chain, key } = this.#options
    const rows: AuditRow[] = []
    let { seq, hash: prev } = tail
    let bytes = 0
    for (const { event, atMs, entry } of items) {
      if (bytes >= batchBytes || tail.bytes + bytes >= bytesPerBucket || seq >= entriesPerBucket - 1) break
      seq += 1
      const at = new Date(atMs).toISOString()
      const row = linkedRow(key, { chain, bucket: tail.bucket, seq, at, entry }, { prev, event })
      rows.push(row)
      prev = row.hash
      bytes += sizeOf(row.body)
    }
    return rows
  }

  async #write(tail: Tail, items: readonly Item[], rows: AuditRow[]): Promise<void> {
    const outcome = await this.#append(tail, rows, { items })
    if (outcome === 'applied') await this.#written(items, rows, tail.bucket)
  }

  async #seal(tail: Tail, next: string): Promise<void> {
    const { chain, key, clock } = this.#options
    const at = new Date(clock.now().wallMs).toISOString()
    const place = { chain, bucket: tail.bucket, seq: tail.seq + 1, at, entry: randomUUID() }
    const row = linkedRow(key, place, { prev: tail.hash, event: sealEvent(next) })
    // Whether this seal or another writer's is applied: a bucket has one seal, and all writers continue where it says.
    if ((await this.#append(tail, [row], { next })) !== 'applied') return
    await this.#anchor(tail.bucket, row)
    const last = { bucket: tail.bucket, row }
    const begin = { bucket: next, from: { seq: null, hash: null }, seq: 0, hash: row.hash, bytes: 0 }
    this.#tail = { ...begin, previous: tail.bucket, last, damaged: false, ttlSeconds: null }
  }

  /** One conditional batch. On `applied` the tail has moved; on anything else it must be read again. Marks items that may be there. */
  async #append(
    tail: Tail,
    rows: AuditRow[],
    { items = [], next }: { items?: readonly Item[]; next?: string },
  ): Promise<'applied' | 'refused' | 'unknown'> {
    const { store, chain, timer, end } = this.#options
    const { seq, hash } = rows.at(-1) as AuditRow
    const bytes = tail.bytes + rows.reduce((sum, { body }) => sum + sizeOf(body), 0)
    const to = { seq, hash, bytes, next, previous: tail.previous || undefined }
    this.#tail = null
    // The follower has raised an alarm since the end was found: the next round finds the alarm, or where the chain goes on.
    if (this.#raised !== end.raised) return 'refused'
    let sent = false
    try {
      const partition = partitionOf(chain, tail.bucket)
      sent = await store.append({ partition, from: tail.from, to, rows, ttlSeconds: ttlSecondsOf(chain) })
      if (sent) {
        if (!(await this.#isThere(tail.bucket, rows, next ?? null))) return 'refused'
        end.see({ bucket: tail.bucket, seq, hash })
        const last = { bucket: tail.bucket, row: rows.at(-1) as AuditRow }
        const at = { bucket: tail.bucket, from: { seq, hash }, seq, hash, bytes }
        this.#tail = { ...at, previous: null, last, damaged: false, ttlSeconds: null }
        this.#conflicts = 0
        return 'applied'
      }
    } catch (thrown) {
      const isUnknown = isLeaseholdError(thrown, 'statement-unknown')
      // Damaged: what was sent is not there, or vanishes.
      if (isUnknown || (sent && !(thrown instanceof AuditDamagedError)))
        markTried(items, tail.bucket, (rows[0] as AuditRow).seq)
      const isSilent = sent && isLeaseholdError(thrown, 'store-unavailable')
      if (!isSilent && !isUnknown) throw thrown
      // A store that loses answers again and again is not asked without a pause.
      await timer.sleep(unknownPauseMs)
      return 'unknown'
    }
    // Another process was first. Writers that lose repeatedly wait a little; otherwise all lose.
    this.#conflicts += 1
    if (this.#conflicts > 1) await timer.sleep(Math.random() * Math.min(100, 8 * this.#conflicts))
    return 'refused'
  }

  /**
   * That an append was applied does not say that it is there: a deletion with a timestamp of the future hides it.
   * Nothing waits for an entry of the chain of refusals, and its next append finds the same.
   * @returns false: it is not, and the chain was restarted in another bucket. @throws AuditDamagedError; StoreUnavailableError
   */
  async #isThere(bucket: string, rows: readonly AuditRow[], next: string | null): Promise<boolean> {
    const { store, chain, end } = this.#options
    if (chain === 'refused') return true
    const [first, last] = [rows[0] as AuditRow, rows.at(-1) as AuditRow]
    const { head, rows: found } = await store.appended(partitionOf(chain, bucket), first.seq, rows.length)
    const areThere = rows.every(({ id, hash }, i) => found[i]?.id === id && found[i]?.hash === hash)
    // Another process may have appended since.
    const isHead =
      (head.seq ?? 0) > last.seq || (head.seq === last.seq && head.hash === last.hash && head.next === next)
    if (areThere && isHead && head.ttlSeconds === null) return true
    const kind = areThere && isHead ? 'expiring' : 'vanished'
    await end.damaged(kind, { bucket, seq: first.seq }, this.#raised)
    return false
  }

  async #written(items: readonly Item[], rows: readonly AuditRow[], bucket: string): Promise<void> {
    this.#queue.remove(items)
    await this.#anchor(bucket, rows.at(-1) as AuditRow)
    for (const [i, item] of items.entries()) {
      item.tried = null
      const { body, prev, hash } = rows[i] as AuditRow
      item.resolve({ ...JSON.parse(body), prev, hash })
    }
  }

  async #anchor(bucket: string, { seq, hash, body }: AuditRow): Promise<void> {
    const { chain, key } = this.#options
    await this.#options.anchor({ at: JSON.parse(body).at, chain, bucket, seq, hash, keyId: key.id })
  }
}

const sizeOf = (body: string): number => Buffer.byteLength(body) + rowBytes
