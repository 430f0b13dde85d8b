import { expect, it } from 'vitest'
import { fateMarks } from './fate-marks.ts'

it('draws to scale, and keeps words apart', () => {
  expect(fateMarks(10_000, 5000)).toEqual({ deadline: 76, renewal: 38 })
  expect(fateMarks(100_000, 100).renewal).toBe(14)
  expect(fateMarks(10_000, 9900).renewal).toBe(62)
})

it('without an expiry the overlap has no end; without a rhythm no renewal is drawn', () => {
  expect(fateMarks(null, null)).toEqual({ deadline: 100, renewal: null })
  expect(fateMarks(10_000, null).renewal).toBeNull()
})
