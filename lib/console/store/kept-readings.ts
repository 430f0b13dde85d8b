/**
 * Readings that all requests of this process share: one that began less than `forMs` ago is joined or handed on; in place of an older one
 * another begins, even while that one is under way.
 * Guarantees: it holds `max` readings at most, and drops those that were used longest ago. A reading that failed is not kept. The
 * signal of a reading that all its readers have left is aborted, and a later request begins another.
 * Does not guarantee: that a kept reading is what Cassandra has now. Who keeps it says for how long that does no harm.
 */
import { type Clock, elapsedMs, type Moment } from 'leasehold/time'

interface Kept<T> {
  readonly reading: Promise<T>
  readonly begunAt: Moment
  /** Aborted when all readers have left before its end. */
  readonly left: AbortController
  readers: number
  isUnderWay: boolean
}

export class KeptReadings<T> {
  readonly #clock: Clock
  readonly #max: number
  readonly #kept = new Map<string, Kept<T>>()

  constructor({ clock, max }: { clock: Clock; max: number }) {
    this.#clock = clock
    this.#max = max
  }

  /**
   * What a reading of this key gets, or got, that began less than `forMs` ago; or else what `read` reads now.
   * @param read its signal is aborted when all readers have left
   * @param signal aborted when this reader leaves; left out: it stays to the end
   * @throws what `read` throws; the signal's reason, if that was aborted before
   */
  read(
    key: string,
    forMs: number,
    read: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const now = this.#clock.now()
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    // From its beginning: Cassandra answered with what it had at some time after that.
    const isGood = known !== undefined && !known.left.signal.aborted && elapsedMs(known.begunAt, now) < forMs
    const kept = isGood ? known : this.#begin(key, read)
    this.#kept.set(key, kept)
    kept.readers++
    signal?.addEventListener('abort', () => leave(kept), { once: true })
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

  #begin(key: string, read: (signal: AbortSignal) => Promise<T>): Kept<T> {
    const left = new AbortController()
    const kept: Kept<T> = {
      reading: read(left.signal),
      begunAt: this.#clock.now(),
      left,
      readers: 0,
      isUnderWay: true,
    }
    const ended = () => {
      kept.isUnderWay = false
    }
    kept.reading.then(ended, () => {
      ended()
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept
  }
}

function leave(kept: Kept<unknown>): void {
  kept.readers--
  if (kept.readers === 0 && kept.isUnderWay) kept.left.abort()
}
