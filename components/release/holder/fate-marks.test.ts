import { expect, it } from 'vitest'
import { askMark, breakMarks, killMarks } from './fate-marks.ts'

it('ask: the holder goes on until it resigns; without a known time, the mark stands somewhere on the line', () => {
  expect(askMark(true)).toBe(16)
  expect(askMark(false)).toBe(38)
})

it('break: the deadline stands before safe at, to scale', () => {
  expect(breakMarks(10_000, 20_000)).toEqual({ deadline: 38, safe: 76 })
  expect(breakMarks(30_000, 20_000)).toEqual({ deadline: 76, safe: 76 })
  expect(breakMarks(null, null)).toEqual({ deadline: 76, safe: 76 })
})

it('kill: to scale, and words are kept apart', () => {
  expect(killMarks(10_000, 5000)).toEqual({ deadline: 76, renewal: 38 })
  expect(killMarks(100_000, 100)).toMatchObject({ renewal: 14 })
  expect(killMarks(10_000, 9900)).toMatchObject({ renewal: 62 })
})

it('kill: without an expiry the overlap has no end; without a rhythm no renewal is drawn', () => {
  expect(killMarks(null, null)).toEqual({ deadline: 100, renewal: null })
  expect(killMarks(10_000, null)).toMatchObject({ renewal: null })
})
