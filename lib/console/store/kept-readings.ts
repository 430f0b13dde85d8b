/**
 * Readings that all requests of this process share: one that is under way is joined, and one that was made is kept for a time.
 * Guarantees: it holds `max` readings at most, and drops those that were used longest ago. A reading that failed is not kept.
 * Does not guarantee: that a kept reading is what Cassandra has now. Who keeps it says for how long that does no harm.
 */
import { type Clock, elapsedMs, type Moment } from 'leasehold/time'

interface Kept<T> {
  readonly reading: Promise<T>
  readonly begunAt: Moment
}

export class KeptReadings<T> {
  readonly #clock: Clock
  readonly #max: number
  readonly #kept = new Map<string, Kept<T>>()

  constructor({ clock, max }: { clock: Clock; max: number }) {
    this.#clock = clock
    this.#max = max
  }

  /** What was read under this key no longer than `forMs` ago, or else what `read` reads now. @throws what `read` throws */
  read(key: string, forMs: number, read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now()
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    // From its beginning: Cassandra answered with what it had at some time after that.
    const kept = known !== undefined && elapsedMs(known.begunAt, now) < forMs ? known : this.#begin(key, read)
    this.#kept.set(key, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break
      this.#kept.delete(oldest)
    }
    return kept.reading
  }

  /** The next request reads again, and joins no reading that is under way. */
  forget(key: string): void {
    this.#kept.delete(key)
  }

  #begin(key: string, read: () => Promise<T>): Kept<T> {
    const kept: Kept<T> = { reading: read(), begunAt: this.#clock.now() }
    kept.reading.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept
  }
}
