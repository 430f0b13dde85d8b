/**
 * The smallest expiry seen for each write.
 *
 * What one read computes is never too low, but up to some seconds too high (`now()` is read late, across the edge of
 * a second or after a slow quorum). An expiry belongs to one write, so that the smallest one seen is the truest.
 * Bounded: the oldest writes are forgotten first; forgetting costs at most the accuracy of one read.
 */
export class ExpiryMemory {
  readonly #seen = new Map<string, { version: bigint; expirySeconds: number }>()
  readonly #capacity: number

  constructor(capacity = 20_000) {
    this.#capacity = capacity
  }

  /** @returns the smallest expiry, in seconds since the epoch, seen for this write so far, this one included */
  smallest(name: string, version: bigint, expirySeconds: number): number {
    const known = this.#seen.get(name)
    const smallest = known?.version === version ? Math.min(known.expirySeconds, expirySeconds) : expirySeconds
    // Deleted first, so that the map's order is the order of use.
    this.#seen.delete(name)
    this.#seen.set(name, { version, expirySeconds: smallest })
    if (this.#seen.size > this.#capacity) this.#seen.delete(this.#seen.keys().next().value as string)
    return smallest
  }
}
