import { expect, it } from 'vitest'
import { cursorOf, placeOf } from './cursor.ts'

const range = { fromMs: 1_000, toMs: 9_000 }
const written = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')

it('a cursor is the place where a page ended', () => {
  const place = { atMs: 5_000, id: 'a'.repeat(32), contextMs: 7_000 }
  expect(placeOf(cursorOf(place), range)).toEqual(place)
  expect(cursorOf({ ...place, atMs: Date.UTC(2026, 0), contextMs: Date.UTC(2026, 1) }).length).toBeLessThan(
    120,
  )
})

it('a cursor of an older version goes on', () => {
  expect(placeOf(written([5_000, 'a']), range)).toEqual({ atMs: 5_000, id: 'a', contextMs: undefined })
})

it('a cursor that is older than what is kept begins where that ends', () => {
  expect(placeOf(written([500, 'a', 700]), range)).toMatchObject({ atMs: 1_000, id: '' })
})

it.each([[[5_000]], [[5_000, 'a', 'b']], [[5_000, 'a', 1, 2]], ['x'], [[1.5, 'a']]])(
  'what no history issued is a bad request: %j',
  (parts) => {
    expect(() => placeOf(written(parts), range)).toThrow(expect.objectContaining({ code: 'bad-request' }))
  },
)
