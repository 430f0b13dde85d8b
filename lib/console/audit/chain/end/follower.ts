/**
 * Reads a chain as it grows, checks each entry, and hands on the row versions that entries name.
 *
 * Guarantees: when `catchUp` resolves, each entry that was there when it was called has been read. An entry that no holder
 * of the key wrote, a gap, and an entry that does not follow the one before it raise the alarm: then acts are refused.
 * Does not guarantee: anything of entries before `since`: `npm run audit -- verify` checks those.
 */
import type { AuditChain, AuditEvent } from '../../../../contract/audit.ts'
import type { AuditStore } from '../audit-store.ts'
import { bucketOf, compareBuckets, originBucket, partitionOf } from '../bucket.ts'
import { genesisHash } from '../chain-hash.ts'
import { type AuditRow, entryOf, nextOfSeal } from '../entry-body.ts'
import { AuditDamagedError } from './chain-alarm.ts'
import type { ChainEnd } from './chain-end.ts'
import type { Seen, Tail } from './tail.ts'

export interface FollowerOptions {
  store: AuditStore
  chain: AuditChain
  end: ChainEnd
  /** The entry to begin after; null: the beginning of the chain. */
  since: Seen | null
  note(rows: NonNullable<AuditEvent['rows']>): void
}

const rowsAtOnce = 500

/** The last entry that was read. `hash` null: the next one restarts the chain, and follows none. */
type Place = Omit<Seen, 'hash'> & { hash: string | null }

export class ChainFollower {
  readonly #options: FollowerOptions
  #at: Place
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#at = options.since ?? { bucket: originBucket, seq: 0, hash: genesisHash }
  }

  /** @throws AuditDamagedError; StoreUnavailableError */
  catchUp(): Promise<void> {
    if (this.#running === null) return this.#begin()
    // The one under way may have looked for the end before this call.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<void> {
    this.#running = this.#read().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #read(): Promise<void> {
    const tail = await this.#options.end.find()
    for (;;) {
      const isAtEnd = this.#at.bucket === tail.bucket && this.#at.seq >= tail.seq
      if (isAtEnd || !(await this.#page(tail))) return
    }
  }

  /** @returns false: there is no more */
  async #page(tail: Tail): Promise<boolean> {
    const { store, chain } = this.#options
    const { bucket, seq } = this.#at
    const rows = await store.rowsFrom(partitionOf(chain, bucket), seq + 1, rowsAtOnce)
    for (const row of rows) if (!(await this.#entry(bucket, row))) return true
    // A seal has moved us on; a full page may be followed by another one.
    if (this.#at.bucket !== bucket || rows.length === rowsAtOnce) return true
    if (bucket === tail.bucket) return false
    await this.#restart(tail)
    return true
  }

  /** @returns false: it is not what it should be, and the chain was restarted in another bucket */
  async #entry(bucket: string, row: AuditRow): Promise<boolean> {
    const { end, note } = this.#options
    const { seq, hash } = this.#at
    const isNext = row.seq === seq + 1 && (hash === null || row.prev === hash)
    const entry = entryOf(row)
    if (!isNext || entry === null || !end.isOurs(bucket, row)) {
      await this.#damaged({ bucket, seq: seq + 1 })
      return false
    }
    if (entry.rows !== undefined) note(entry.rows)
    const next = nextOfSeal(entry)
    this.#at =
      next === null ? { bucket, seq: row.seq, hash: row.hash } : { bucket: next, seq: 0, hash: row.hash }
    return true
  }

  /** This bucket ends without a seal, and there is a later one: the chain was restarted, or the end of this one is gone. */
  async #restart(tail: Tail): Promise<void> {
    const { store, chain, end } = this.#options
    const later = (await store.partitions())
      .flatMap((partition) => bucketOf(chain, partition) ?? [])
      .filter(
        (bucket) => compareBuckets(bucket, this.#at.bucket) > 0 && compareBuckets(bucket, tail.bucket) <= 0,
      )
    for (const bucket of later.sort(compareBuckets)) {
      if (!(await end.beginsAnew(bucket))) continue
      this.#at = { bucket, seq: 0, hash: null }
      return
    }
    await this.#damaged({ bucket: this.#at.bucket, seq: this.#at.seq + 1 })
  }

  async #damaged(place: { bucket: string; seq: number }): Promise<void> {
    const { end } = this.#options
    const { bucket } = await end.damaged('link', place)
    // The chain was restarted meanwhile: another reading begins there, and looks for its end.
    if (compareBuckets(bucket, place.bucket) <= 0) throw new AuditDamagedError(end.alarmOf('link', place))
    this.#at = { bucket, seq: 0, hash: null }
  }
}
