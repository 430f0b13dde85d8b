import type { LeaseProtocol } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'

const freshForMs = 1_000

/**
 * Whether Cassandra answers a SERIAL read. However many pages ask, it is asked once a second at most, and all who ask
 * meanwhile share the answer.
 */
export class Probe {
  readonly #leases: LeaseProtocol
  readonly #clock: Clock
  #last: { atMs: number; result: Promise<{ serialReadMs: number }> } | undefined

  constructor(leases: LeaseProtocol, clock: Clock) {
    this.#leases = leases
    this.#clock = clock
  }

  /** @throws StoreUnavailableError */
  check(): Promise<{ serialReadMs: number }> {
    const nowMs = this.#clock.now().monotonicMs
    if (this.#last === undefined || nowMs - this.#last.atMs >= freshForMs)
      this.#last = { atMs: nowMs, result: this.#read(nowMs) }
    return this.#last.result
  }

  async #read(startedMs: number): Promise<{ serialReadMs: number }> {
    await this.#leases.read('leasehold/probe')
    return { serialReadMs: Math.round((this.#clock.now().monotonicMs - startedMs) * 10) / 10 }
  }
}
