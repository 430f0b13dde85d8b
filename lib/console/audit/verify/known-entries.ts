/** Entries of one chain that must be there: those that anchors name, and the one that each restart names as the last. */
import type { Seen } from '../chain/end/seen.ts'

interface Known {
  hashes: Set<string>
  /** The bucket of the restart that names it; null: the anchors do. */
  restart: string | null
}

export class KnownEntries {
  readonly #byBucket = new Map<string, Map<number, Known>>()
  /** Places that anchors name. */
  anchors = 0

  /** Anchors are added before what restarts name. @param restart as in `Known` */
  add({ bucket, seq, hash }: Seen, restart: string | null): void {
    const bySeq = this.#byBucket.get(bucket) ?? new Map<number, Known>()
    this.#byBucket.set(bucket, bySeq)
    const known = bySeq.get(seq)
    if (known !== undefined) {
      known.hashes.add(hash)
      return
    }
    bySeq.set(seq, { hashes: new Set([hash]), restart })
    if (restart === null) this.anchors += 1
  }

  buckets(): Iterable<string> {
    return this.#byBucket.keys()
  }

  /** What contradicts the entry at this place; null: nothing does. */
  contradiction({ bucket, seq, hash }: Seen): string | null {
    const known = this.#byBucket.get(bucket)?.get(seq)
    if (known === undefined || (known.hashes.size === 1 && known.hashes.has(hash))) return null
    return known.restart === null
      ? 'it is not the entry that the anchors say was written there'
      : `it is not the entry that was there when the log was restarted in ${known.restart}`
  }

  /** What says that a bucket has entries after this one; null: nothing does. */
  after(bucket: string, lastSeq: number): string | null {
    const bySeq = this.#byBucket.get(bucket) ?? new Map<number, Known>()
    const end = Math.max(0, ...bySeq.keys())
    const known = bySeq.get(end)
    if (known === undefined || end <= lastSeq) return null
    return known.restart === null
      ? `the anchors reach to entry ${end}`
      : `the log ended with entry ${end} when it was restarted in ${known.restart}`
  }
}
