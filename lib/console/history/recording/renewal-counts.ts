import { eventId, minuteMs, type RenewalMinute } from 'leasehold/history'

/** Leases whose renewals are counted in one minute. Those of more leases are not. */
const leasesMax = 20_000

/**
 * Counts the renewals that were seen, for one row a lease and minute.
 * Guarantees: it holds `leasesMax` counts at most.
 */
export class RenewalCounts {
  readonly #recorder: string
  #counts = new Map<string, { owner: string | null; count: number }>()
  #atMs = 0
  #isFull = false

  /** @param recorder two recorders that share a minute each count what they saw */
  constructor(recorder: string) {
    this.#recorder = recorder
  }

  add(name: string, owner: string | null): void {
    const key = JSON.stringify([name, owner])
    const known = this.#counts.get(key)
    if (known !== undefined) known.count++
    else if (this.#counts.size < leasesMax) this.#counts.set(key, { owner, count: 1 })
    else this.#isFull = true
  }

  /** The counts of the minute that is over; null: it is not. */
  take(nowMs: number, isLast = false): { minutes: RenewalMinute[]; atMs: number; isFull: boolean } | null {
    const atMs = Math.floor(nowMs / minuteMs) * minuteMs
    if (this.#atMs === 0) this.#atMs = atMs
    if (atMs === this.#atMs && !isLast) return null
    const minutes = [...this.#counts].map(([key, { owner, count }]) => this.#minute(key, owner, count))
    const taken = { minutes, atMs: this.#atMs, isFull: this.#isFull }
    this.#counts = new Map()
    this.#isFull = false
    this.#atMs = atMs
    return taken
  }

  #minute(key: string, owner: string | null, count: number): RenewalMinute {
    const [name] = JSON.parse(key) as [string]
    return {
      id: eventId('observed', name, 'renewals', owner, this.#atMs, this.#recorder),
      name,
      source: 'observed',
      atMs: this.#atMs,
      owner,
      count,
      exact: null,
      leastMarginMs: null,
    }
  }
}
