import { BoundedMap } from '../bounded-map.ts'

/**
 * The smallest expiry seen for each write.
 *
 * The expiry computed from one read is never too low, but may be some seconds too high: Cassandra evaluates `now()`
 * late, across the edge of a second or after a slow quorum. All reads of one write share one expiry, so that the
 * smallest result is the most accurate.
 * Bounded: forgets the names first that were read the longest ago, which costs the accuracy of one read at most.
 */
export class ExpiryMemory {
  readonly #seen: Map<string, { version: bigint; expirySeconds: number }>

  constructor(capacity = 20_000) {
    this.#seen = new BoundedMap(capacity)
  }

  /** @returns the smallest expiry seen for this write, this one included, in seconds since the epoch */
  smallest(name: string, version: bigint, expirySeconds: number): number {
    const known = this.#seen.get(name)
    const smallest = known?.version === version ? Math.min(known.expirySeconds, expirySeconds) : expirySeconds
    this.#seen.set(name, { version, expirySeconds: smallest })
    return smallest
  }
}
