import { expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

function filled(max: number, keys: number): BoundedMap<number, string> {
  const map = new BoundedMap<number, string>(max)
  for (let key = 0; key < keys; key++) map.set(key, `value ${key}`)
  return map
}

it.each([1, 2, 8, 1_000])(
  'of ten times as many as %s, it holds no more than that, and no fewer than most',
  (max) => {
    const map = new BoundedMap<number, true>(max)
    const sizes = Array.from({ length: 10 * max }, (_, key) => map.set(key, true).size)
    expect(Math.max(...sizes)).toBe(max)
    expect(Math.min(...sizes.slice(max))).toBeGreaterThan(max - Math.ceil(max / 8))
  },
)

it('holds as many as it may, and forgets the oldest eighth with the next one', () => {
  const map = filled(16, 16)
  expect(map.size).toBe(16)
  map.set(16, 'value 16')
  expect([...map.keys()]).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(map.get(16)).toBe('value 16')
})

it('an entry that was set again is not the oldest, and one that was only read is', () => {
  const map = filled(3, 3)
  map.set(0, 'again')
  map.get(1)
  map.set(3, 'new')
  expect([...map]).toEqual([
    [2, 'value 2'],
    [0, 'again'],
    [3, 'new'],
  ])
})

it('an entry that is set again takes no room', () => {
  const map = filled(2, 2)
  for (let i = 0; i < 100; i++) map.set(1, `value ${i}`)
  expect([...map]).toEqual([
    [0, 'value 0'],
    [1, 'value 99'],
  ])
})
