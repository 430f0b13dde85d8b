import type { Clock } from 'leasehold/time'

/** One read may fail where others succeed, by contention. It is Cassandra when none has succeeded for this long. */
const lostAfterMs = 1_500

type StoreHealth = { kind: 'good' } | { kind: 'lost'; sinceMs: number; asOfMs: number | null }

/** Whether Cassandra answers the reads that the watch sends of one table. */
export class StoreHealthWatch {
  readonly #clock: Clock
  #failing: { sinceMs: number; wallMs: number } | null = null
  #answeredAtMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  answered(): void {
    this.#failing = null
    this.#answeredAtMs = this.#clock.now().wallMs
  }

  failed(): void {
    const { monotonicMs, wallMs } = this.#clock.now()
    this.#failing ??= { sinceMs: monotonicMs, wallMs }
  }

  get health(): StoreHealth {
    const failing = this.#failing
    if (failing === null || this.#clock.now().monotonicMs - failing.sinceMs < lostAfterMs)
      return { kind: 'good' }
    return { kind: 'lost', sinceMs: failing.wallMs, asOfMs: this.#answeredAtMs }
  }
}
