import type { Lease } from './lease.ts'

/** Looked at whenever another one is added: an outage ends thousands in one turn, and each must cost the same. */
const lookedAt = 8

/** Leases that have ended here, and whose rows Cassandra may still show. Those whose rows have surely expired are forgotten. */
export class StandingRows {
  readonly #leases = new Set<Lease>()
  readonly #hasExpired: (lease: Lease) => boolean

  constructor(hasExpired: (lease: Lease) => boolean) {
    this.#hasExpired = hasExpired
  }

  add(lease: Lease): void {
    let looked = 0
    for (const each of this.#leases) {
      if (looked === lookedAt) break
      looked += 1
      this.#leases.delete(each)
      // Behind the others, so that one with a long TTL does not hide those that expire before it.
      if (!this.#hasExpired(each)) this.#leases.add(each)
    }
    this.#leases.add(lease)
  }

  delete(lease: Lease): void {
    this.#leases.delete(lease)
  }

  get standing(): Lease[] {
    return [...this.#leases].filter((lease) => !this.#hasExpired(lease))
  }
}
