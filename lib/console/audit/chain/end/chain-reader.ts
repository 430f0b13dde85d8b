/**
 * Reads a chain entry by entry, from one place on, and checks that each entry follows the one before it.
 *
 * 1. Rows are read bucket by bucket; a seal leads to the next bucket.
 * 2. Where the next entry is not one that follows, or a bucket ends without a seal, the chain has a gap. An entry `restart`
 *    in a later bucket covers it, if an operator restarted the chain for this gap: the entry says which bucket was the first
 *    that could not be read. Reading goes on there.
 * 3. A gap that no restart covers is returned.
 *
 * Does not guarantee: anything of the end of the chain, which may be cut: chain-end.ts looks at that.
 */
import { z } from 'zod'
import type { AuditEvent } from '../../../../contract/audit.ts'
import { compareBuckets, isBucket, originBucket, partitionOf } from '../bucket.ts'
import { genesisHash } from '../chain-hash.ts'
import { type AuditRow, entryOf, nextOfSeal } from '../entry-body.ts'
import { bucketsOf, firstFound, type OwnChain } from './own-rows.ts'
import type { Seen, Spot } from './seen.ts'

interface ChainReaderOptions extends OwnChain {
  /** The entry to begin after; null: the beginning of the chain. */
  since: Seen | null
  note?(rows: NonNullable<AuditEvent['rows']>): void
}

/** What an entry `restart` says before it. Those of the first version do not say where the gap is: they cover any. */
const restartBeforeSchema = z.object({
  /** The first place that could not be read. */
  gap: z.object({ bucket: z.string().refine(isBucket), seq: z.number() }).nullish(),
})

const rowsAtOnce = 500

/** The last entry that was read. `hash` null: the next one restarts the chain, and follows none. */
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

  /** The first bucket after a gap with which the chain was restarted because of it. */
  async #restartAfter(gap: Spot, end: Spot | null, restartedIn: string | null): Promise<string | null> {
    const isLater = (bucket: string) =>
      compareBuckets(bucket, gap.bucket) > 0 && (end === null || compareBuckets(bucket, end.bucket) <= 0)
    const later = (await bucketsOf(this.#options)).filter(isLater)
    return firstFound(later, async (bucket) =>
      bucket === restartedIn || (await this.#covers(bucket, gap)) ? bucket : null,
    )
  }

  async #covers(bucket: string, gap: Spot): Promise<boolean> {
    const restart = await restartIn(this.#options, bucket)
    const known = restart === null ? null : gapOf(restart)
    return restart !== null && (known === null || compareBuckets(gap.bucket, known.bucket) >= 0)
  }
}

/** The first place that could not be read when the chain was restarted; null: the entry does not say. */
const gapOf = ({ before }: Pick<AuditEvent, 'before'>): Spot | null =>
  restartBeforeSchema.safeParse(before).data?.gap ?? null

/** Whether an operator restarted the chain because of a place in this bucket, or in one before it. */
export async function isRestartedFor(own: OwnChain, bucket: string): Promise<boolean> {
  const later = (await bucketsOf(own)).filter((each) => compareBuckets(each, bucket) > 0)
  const found = await firstFound(later, async (each) => {
    const restart = await restartIn(own, each)
    const gap = restart === null ? null : gapOf(restart)
    return gap !== null && compareBuckets(bucket, gap.bucket) >= 0 ? each : null
  })
  return found !== null
}

/** The entry with which an operator restarted the chain in this bucket; null: none did. */
export async function restartIn({ store, chain, isOurs }: OwnChain, bucket: string) {
  const [first] = await store.rowsFrom(partitionOf(chain, bucket), 1, 1)
  const entry = first === undefined || !isOurs(bucket, first) ? null : entryOf(first)
  return entry?.act === 'restart' ? entry : null
}
