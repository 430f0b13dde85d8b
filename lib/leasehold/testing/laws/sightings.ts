/** The reads of one lease, in the order of their sending, so that a law finds those of its time without a look at all. */
import { grouped, type Sighting } from './history.ts'

export class Sightings {
  readonly #sorted: readonly Sighting[]
  readonly #byOwner: ReadonlyMap<string | null, Sighting[]>
  readonly #byValue: ReadonlyMap<string | null, Sighting[]>
  /** Of each sighting and those that were sent before it. */
  readonly #greatest: readonly bigint[]

  constructor(all: readonly Sighting[]) {
    this.#sorted = all.toSorted((a, b) => a.sentMs - b.sentMs)
    this.#byOwner = grouped(this.#sorted, ({ owner }) => owner)
    this.#byValue = grouped(this.#sorted, ({ value }) => value)
    let greatest = -1n
    this.#greatest = this.#sorted.map(({ version }) => {
      if (version !== null && version > greatest) greatest = version
      return greatest
    })
  }

  ofOwner(owner: string | null): readonly Sighting[] {
    return this.#byOwner.get(owner) ?? []
  }

  ofValue(value: string | null): readonly Sighting[] {
    return this.#byValue.get(value) ?? []
  }

  /** Those that were sent and answered in this time. */
  within(fromMs: number, untilMs: number): Sighting[] {
    return this.#sorted
      .slice(this.#firstIndex(fromMs), this.#firstIndex(untilMs, true))
      .filter(({ answeredMs }) => answeredMs <= untilMs)
  }

  /** No sighting that was sent by then has a greater one. */
  greatestVersionBy(atMs: number): bigint {
    return this.#greatest[this.#firstIndex(atMs, true) - 1] ?? -1n
  }

  /** The last that was answered by then. */
  lastBefore(atMs: number): Sighting | undefined {
    let index = this.#firstIndex(atMs, true) - 1
    while (index >= 0 && (this.#sorted[index] as Sighting).answeredMs > atMs) index--
    return this.#sorted[index]
  }

  /** The first that was sent then or later. */
  firstFrom(atMs: number): Sighting | undefined {
    return this.#sorted[this.#firstIndex(atMs)]
  }

  /** Of the first that was sent at `atMs` or later; `beyond`: later. */
  #firstIndex(atMs: number, beyond = false): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const { sentMs } = this.#sorted[middle] as Sighting
      if (sentMs < atMs || (beyond && sentMs === atMs)) low = middle + 1
      else high = middle
    }
    return low
  }
}
