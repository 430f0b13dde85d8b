/**
 * Reads a chain entry by entry, from one place on, and checks that each entry follows the one before it.
 *
 * 1. Rows are read bucket by bucket; a seal leads to the next bucket.
 * 2. Where the next entry is not one that follows, or a bucket ends without a seal, the chain has a gap. An entry `restart`
 *    in a later bucket covers it, if an operator restarted the chain for this gap: the entry says which place was the first
 *    that could not be read, and the entry that it names as left is still there. Reading goes on with the first restart after
 *    the gap.
 * 3. A gap that no restart covers is returned.
 *
 * Does not guarantee: anything of the end of the chain, which may be cut: chain-end.ts looks at that. Nor of entries between
 * the place that a restart names and that restart: it passes over them, and a later deletion there is for `verify` to name.
 */
import type { AuditEvent } from '../../../../contract/audit.ts'
import { compareBuckets, hasExpired, mayBeFirst, originBucket, partitionOf } from '../bucket.ts'
import { genesisHash } from '../chain-hash.ts'
import { type AuditRow, entryOf, nextOfSeal } from '../entry-body.ts'
import { bucketsOf, firstFound, type OwnChain } from './own-rows.ts'
import { isLostBefore, type Restart, restartOf } from './restart/restart-entry.ts'
import type { Seen, Spot } from './seen.ts'

interface ChainReaderOptions extends OwnChain {
  /** The entry to begin after; null: the beginning of the chain. */
  since: Place | null
  note?(rows: NonNullable<AuditEvent['rows']>): void
}

const rowsAtOnce = 500

/** The last entry that was read. `hash` null: it is not known what the next one follows. */
type Place = Spot & { hash: string | null }

export class ChainReader {
  readonly #options: ChainReaderOptions
  #at: Place

  constructor(options: ChainReaderOptions) {
    this.#options = options
    this.#at = options.since ?? { bucket: originBucket, seq: 0, hash: genesisHash }
  }

  /** The last entry that was read; null: none since the chain was restarted. */
  get at(): Seen | null {
    const { hash, ...spot } = this.#at
    return hash === null ? null : { ...spot, hash }
  }

  /**
   * @param end the last entry, or a place after it; null: as far as the chain can be read, and the place after that is returned
   * @param restartedIn a bucket with which an operator restarted the chain after a gap was found
   * @returns the gap; null: each entry up to the end was read
   * @throws StoreUnavailableError
   */
  async read(end: Spot | null, restartedIn: string | null = null): Promise<Spot | null> {
    for (;;) {
      const { bucket, seq } = this.#at
      if (end?.bucket === bucket && seq >= end.seq) return null
      const came = await this.#page()
      if (came === 'more') continue
      if (came === 'last' && bucket === end?.bucket) return null
      const gap = { bucket: this.#at.bucket, seq: this.#at.seq + 1 }
      const begun = await this.#restartAfter(gap, end, restartedIn)
      if (begun === null) return gap
      this.#at = { bucket: begun, seq: 0, hash: null }
    }
  }

  /** `last`: the bucket has no more entries, and no seal. */
  async #page(): Promise<'more' | 'last' | 'broken'> {
    const { store, chain } = this.#options
    const { bucket, seq } = this.#at
    const rows = await store.rowsFrom(partitionOf(chain, bucket), seq + 1, rowsAtOnce)
    for (const row of rows) if (!this.#entry(bucket, row)) return 'broken'
    // A seal has moved us on; a full page may be followed by another one.
    return this.#at.bucket !== bucket || rows.length === rowsAtOnce ? 'more' : 'last'
  }

  /** @returns false: it does not follow the one before it */
  #entry(bucket: string, row: AuditRow): boolean {
    const { isOurs, note } = this.#options
    const { seq, hash } = this.#at
    const entry = entryOf(row)
    if (row.seq !== seq + 1 || (hash !== null && row.prev !== hash) || entry === null) return false
    if (!isOurs(bucket, row)) return false
    if (entry.rows !== undefined) note?.(entry.rows)
    const next = nextOfSeal(entry)
    this.#at =
      next === null ? { bucket, seq: row.seq, hash: row.hash } : { bucket: next, seq: 0, hash: row.hash }
    return true
  }

  /** The first bucket after a gap with which the chain was restarted, where it was restarted because of this gap. */
  async #restartAfter(gap: Spot, end: Spot | null, restartedIn: string | null): Promise<string | null> {
    const isLater = (bucket: string) =>
      compareBuckets(bucket, gap.bucket) > 0 && (end === null || compareBuckets(bucket, end.bucket) <= 0)
    const later = (await bucketsOf(this.#options)).filter(isLater)
    const covering = await firstFound(later, async (bucket) => {
      if (bucket === restartedIn) return bucket
      const restart = await restartIn(this.#options, bucket)
      return restart !== null && (await isCovered(this.#options, restart, gap)) ? bucket : null
    })
    if (covering === null) return null
    // Entries between an earlier restart and that one can be read, and may have ended rows that give rights.
    return firstFound(later, async (bucket) =>
      bucket === covering || (await restartIn(this.#options, bucket)) !== null ? bucket : null,
    )
  }
}

/**
 * Where the chain of refusals begins: its oldest entries expire.
 * @returns the place before its oldest entry; null: the origin, which may not have expired yet
 */
export async function beginningOfRefused(own: OwnChain, nowMs: number): Promise<Place | null> {
  const [bucket] = await bucketsOf(own)
  if (bucket === undefined) return null
  const partition = partitionOf(own.chain, bucket)
  const { previous } = await own.store.head(partition)
  if (!mayBeFirst(bucket, previous, nowMs)) return null
  const [first] = hasExpired(bucket, nowMs) ? await own.store.rowsFrom(partition, 1, 1) : []
  return { bucket, seq: (first?.seq ?? 1) - 1, hash: null }
}

/** Whether a restart was made for a loss that this place belongs to, and the entry that was left then is there now. */
async function isCovered({ store, chain }: OwnChain, restart: Restart, place: Spot): Promise<boolean> {
  const { left } = restart
  if (!isLostBefore(restart, place)) return false
  if (left === null) return true
  const [row] = await store.rowsFrom(partitionOf(chain, left.bucket), left.seq, 1)
  return row?.seq === left.seq && row.hash === left.hash
}

/** The first place of the loss that this one belongs to, if an operator restarted the chain for it; null: none did. */
export async function restartedGap(own: OwnChain, place: Spot): Promise<Spot | null> {
  const later = (await bucketsOf(own)).filter((each) => compareBuckets(each, place.bucket) > 0)
  return firstFound(later, async (bucket) => {
    const restart = await restartIn(own, bucket)
    return restart?.gap && (await isCovered(own, restart, place)) ? restart.gap : null
  })
}

/** What an operator signed who restarted the chain in this bucket; null: none did. */
export async function restartIn({ store, chain, isOurs }: OwnChain, bucket: string): Promise<Restart | null> {
  const [first] = await store.rowsFrom(partitionOf(chain, bucket), 1, 1)
  const entry = first === undefined || !isOurs(bucket, first) ? null : entryOf(first)
  return entry?.act === 'restart' ? restartOf(bucket, entry) : null
}
