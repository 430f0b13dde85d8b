import { expect, it } from 'vitest'
import { durationMs, durationSeconds, wholeNumber } from './durations.ts'

it.each([
  ['30', 30_000],
  ['30s', 30_000],
  ['0', 0],
  ['500ms', 500],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
])('%s is a duration', (text, ms) => expect(durationMs(text)).toBe(ms))

it.each(['', 's', '-1', '1w', '1 2', 'Infinity', '0x10'])('%j is none', (text) => {
  expect(() => durationMs(text)).toThrow('A duration is expected')
})

it('a TTL is in whole seconds', () => {
  expect(durationSeconds('2m')).toBe(120)
  expect(() => durationSeconds('1500ms')).toThrow('Whole seconds')
})

it('a count is a whole number within its bounds', () => {
  const count = wholeNumber(1, 5)
  expect(count('5')).toBe(5)
  for (const wrong of ['0', '6', '1.5', '1e0', '']) expect(() => count(wrong)).toThrow('from 1 to 5')
})
