/**
 * Bounds the lines and entries that strangers can cause: a number for each key in a window of time, and a number for
 * all keys.
 *
 * Guarantees: at most `total` are admitted in a window, `perKey` of one key; at most `total` keys are remembered, whatever
 * strangers send. rate-limiter-flexible remembers each key that it was asked about, with a timer each.
 */
import type { Clock } from 'leasehold/time'

interface SamplerLimits {
  windowMs: number
  perKey: number
  total: number
}

export class Sampler {
  readonly #clock: Clock
  readonly #limits: SamplerLimits
  #fromMs = Number.NEGATIVE_INFINITY
  #admitted = 0
  #passedOver = 0
  readonly #keys = new Map<string, number>()

  constructor(clock: Clock, limits: SamplerLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** The time until the end of the window, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#fromMs + this.#limits.windowMs - this.#clock.now().monotonicMs)
  }

  /** @returns null: not admitted. Else how many were passed over since the last one that was admitted */
  admit(key: string): { passedOver: number } | null {
    const { monotonicMs } = this.#clock.now()
    const { windowMs, perKey, total } = this.#limits
    if (monotonicMs - this.#fromMs >= windowMs) {
      this.#fromMs = monotonicMs
      this.#admitted = 0
      this.#keys.clear()
    }
    const before = this.#keys.get(key) ?? 0
    if (this.#admitted >= total || before >= perKey) {
      this.#passedOver += 1
      return null
    }
    this.#admitted += 1
    this.#keys.set(key, before + 1)
    const passedOver = this.#passedOver
    this.#passedOver = 0
    return { passedOver }
  }
}
