/**
 * A map of `max` entries at most, for what is cheap to find out again. Of more than that it forgets the eighth that was set the
 * longest ago; an entry that is set again counts as new.
 *
 * An eighth, and not one: the search for the first entry of a map passes the places of those that were deleted before it. One at a
 * time, of 20,000 entries, took 35 µs for each new one; an eighth at a time takes 1 µs.
 *
 * @example
 * const holders = new BoundedMap<string, string>(1_000)
 * holders.set('billing/invoice-run', 'host:17:4f1c:1')
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  /** @param max 1 or more */
  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: K, value: V): this {
    // Deleted first, so that the order is that of the last `set`.
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#max) this.#forget(Math.ceil(this.#max / 8))
    return this
  }

  #forget(count: number): void {
    let left = count
    for (const key of this.keys()) {
      this.delete(key)
      left -= 1
      if (left === 0) return
    }
  }
}
