/**
 * Items in an order, with access by rank, for lists of a hundred thousand that change all the time.
 *
 * The items are in chunks of `chunkMax` at most. A binary search finds the chunk and the place in it; to insert or to remove
 * moves the items of one chunk alone. A rank is the sum of the lengths of some hundred chunks.
 * Assumes: a total order, in which no two items of the list are equal, and that items do not change while they are in it.
 */
const chunkMax = 512

export type Compare<T> = (one: T, other: T) => number

export class SortedList<T> {
  readonly #compare: Compare<T>
  #chunks: T[][] = []
  #length = 0

  /** @param items in any order, unless they are sorted already */
  constructor(compare: Compare<T>, items: Iterable<T> = [], { areSorted = false } = {}) {
    this.#compare = compare
    const sorted = [...items]
    if (!areSorted) sorted.sort(compare)
    this.#length = sorted.length
    for (let from = 0; from < sorted.length; from += chunkMax / 2)
      this.#chunks.push(sorted.slice(from, from + chunkMax / 2))
  }

  get length(): number {
    return this.#length
  }

  /** All items, in their order. */
  all(): T[] {
    return this.#chunks.flat()
  }

  insert(item: T): void {
    this.#length++
    if (this.#chunks.length === 0) {
      this.#chunks.push([item])
      return
    }
    const index = this.#chunkOf(item)
    const chunk = this.#chunks[index] as T[]
    chunk.splice(this.#placeIn(chunk, item), 0, item)
    if (chunk.length > chunkMax) this.#chunks.splice(index + 1, 0, chunk.splice(chunkMax / 2))
  }

  /** @returns false: the list has no item that is equal in its order */
  remove(item: T): boolean {
    const index = this.#chunkOf(item)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return false
    const place = this.#placeIn(chunk, item)
    const found = chunk[place]
    if (found === undefined || this.#compare(found, item) !== 0) return false
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(index, 1)
    this.#length--
    return true
  }

  /** Puts `next` where `item` is: in its very place, if the two are equal in the order. */
  replace(item: T, next: T): void {
    if (this.#compare(item, next) === 0) {
      const chunk = this.#chunks[this.#chunkOf(item)]
      const place = chunk === undefined ? 0 : this.#placeIn(chunk, item)
      if (chunk?.[place] !== undefined && this.#compare(chunk[place], item) === 0) {
        chunk[place] = next
        return
      }
    }
    this.remove(item)
    this.insert(next)
  }

  /** How many items come before this one, which need not be in the list. */
  rankOf(item: T): number {
    const index = this.#chunkOf(item)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return 0
    let rank = this.#placeIn(chunk, item)
    for (let i = 0; i < index; i++) rank += (this.#chunks[i] as T[]).length
    return rank
  }

  /** The items with the ranks `from` to `to`, without the last. */
  slice(from: number, to: number): T[] {
    const found: T[] = []
    let before = 0
    for (const chunk of this.#chunks) {
      if (before >= to) break
      if (before + chunk.length > from) found.push(...chunk.slice(Math.max(0, from - before), to - before))
      before += chunk.length
    }
    return found
  }

  /** The last chunk that begins no later than the item. */
  #chunkOf(item: T): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const [first] = this.#chunks[middle] as [T]
      if (this.#compare(first, item) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The place of the first item that does not come before this one. */
  #placeIn(chunk: T[], item: T): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(chunk[middle] as T, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
