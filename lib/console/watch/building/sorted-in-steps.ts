import type { Compare } from '../rows/sorted-list.ts'

/** So many items are sorted, or merged, in one step: some tenths of a millisecond. */
const itemsAtOnce = 256

/** Sorts by merging, in steps. To sort a hundred thousand items at once takes a tenth of a second. */
export function* sortedInSteps<T>(items: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    runs.push(items.slice(from, from + itemsAtOnce).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let i = 0; i < runs.length; i += 2)
      longer.push(yield* merged(runs[i] as T[], runs[i + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

function* merged<T>(one: readonly T[], other: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  const all: T[] = []
  for (let [i, j] = [0, 0]; i < one.length || j < other.length; ) {
    const isNext = j === other.length || (i < one.length && compare(one[i] as T, other[j] as T) <= 0)
    all.push((isNext ? one[i++] : other[j++]) as T)
    if (all.length % itemsAtOnce === 0) yield
  }
  return all
}
