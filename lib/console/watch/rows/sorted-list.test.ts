import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SortedList } from './sorted-list.ts'

interface Item {
  key: number
  id: number
}
const compare = (one: Item, other: Item) => one.key - other.key || one.id - other.id

it('is a sorted array, whatever is inserted, removed and replaced', () => {
  const step = fc.record({
    act: fc.constantFrom('insert', 'remove', 'replace', 'replace in place'),
    id: fc.nat(400),
    key: fc.nat(20),
  })
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { maxLength: 1_500 }),
      fc.array(step, { maxLength: 600 }),
      (keys, steps) => {
        const items = new Map(keys.map((key, i) => [1_000 + i, { key, id: 1_000 + i }]))
        const list = new SortedList<Item>(compare, items.values())
        for (const { act, id, key } of steps) {
          const item = items.get(id)
          if (item === undefined) {
            if (act === 'remove') {
              expect(list.remove({ key, id })).toBe(false)
              continue
            }
            items.set(id, { key, id })
            list.insert(items.get(id) as Item)
          } else if (act === 'remove') {
            items.delete(id)
            expect(list.remove(item)).toBe(true)
          } else {
            const next = { key: act === 'replace' ? key : item.key, id }
            items.set(id, next)
            list.replace(item, next)
          }
        }
        const sorted = [...items.values()].sort(compare)
        expect(list.length).toBe(sorted.length)
        expect(list.slice(0, list.length)).toEqual(sorted)
        for (const rank of [0, 1, Math.floor(sorted.length / 2), sorted.length - 1]) {
          const item = sorted[rank]
          if (item === undefined) continue
          expect(list.rankOf(item)).toBe(rank)
          expect(list.rankOf({ key: item.key, id: item.id - 0.5 })).toBe(rank)
          expect(list.slice(rank, rank + 50)).toEqual(sorted.slice(rank, rank + 50))
          expect(list.slice(rank, rank + 1)[0]).toBe(item)
        }
      },
    ),
    { numRuns: 60, seed: 12 },
  )
})

it('splits what grows in one place, and drops what has become empty', () => {
  const list = new SortedList<number>((one, other) => one - other)
  for (let i = 0; i < 5_000; i++) list.insert(5_000 - i)
  expect(list.slice(2_499, 2_501)).toEqual([2_500, 2_501])
  for (let i = 5_000; i > 1; i--) list.remove(i)
  expect([list.length, ...list.slice(0, 10)]).toEqual([1, 1])
  expect([list.remove(1), list.remove(1), list.length, list.rankOf(7)]).toEqual([true, false, 0, 0])
})
