import { describe, expect, it } from 'vitest'
import {
  ageText,
  boundText,
  clockText,
  durationText,
  instantText,
  leftText,
  offsetText,
  pastLeftText,
  tookText,
  zonedText,
} from './time-text.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('leftText', () => {
  it.each([
    [7800, '00:07.8'],
    [7899, '00:07.8'],
    [151_250, '02:31.2'],
    [99, '00:00.0'],
    [-5, '00:00.0'],
    [hour - 1, '59:59.9'],
    [hour + 2 * minute + 3 * second, '1:02:03'],
    [2 * day + 4 * hour, '2 d 4 h'],
  ])('%i ms is %s: rounded down, never up', (ms, text) => {
    expect(leftText(ms)).toBe(text)
  })

  it('loses its tenths in the past', () => {
    expect(pastLeftText(7800)).toBe('00:07')
    expect(pastLeftText(hour)).toBe('1:00:00')
  })
})

describe('durationText', () => {
  it.each([
    [0, '0.0 s'],
    [4800, '4.8 s'],
    [5000, '5 s'],
    [30_000, '30 s'],
    [2 * minute, '2 min'],
    [2 * minute + 40 * second, '2 min 40 s'],
    [3 * hour + 18 * minute + 59 * second, '3 h 18 min'],
    [2 * day + 4 * hour, '2 d 4 h'],
    [212 * day, '212 d'],
  ])('%i ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
})

describe('boundText', () => {
  it.each([
    [4_810, '4.9 s'],
    [30_001, '31 s'],
    [hour - 1, '1 h'],
    [hour + 5_200, '1 h 1 min'],
    [day + minute, '1 d 1 h'],
    [2 * day, '2 d'],
  ])('%i ms is not more than %s', (ms, text) => {
    expect(boundText(ms)).toBe(text)
  })
})

it('ages keep their tenths below ten seconds', () => {
  expect([0, 400, 5000, 9999, 10_000, 14_900].map(ageText)).toEqual([
    '0.0 s',
    '0.4 s',
    '5.0 s',
    '9.9 s',
    '10 s',
    '14 s',
  ])
})

it('the time that a query took, in milliseconds or seconds', () => {
  expect([3.14, 41.4, 410, 1400].map(tookText)).toEqual(['3.1 ms', '41 ms', '410 ms', '1.40 s'])
})

it('clock times, and the date where it is another day', () => {
  const at = Date.parse('2026-11-20T03:14:06.812Z')
  expect(clockText(at, 'utc')).toBe('03:14:06')
  expect(clockText(at, 'utc', 1)).toBe('03:14:06.8')
  expect(clockText(at, 'utc', 3)).toBe('03:14:06.812')
  expect(instantText(at, at + hour, 'utc')).toBe('03:14:06')
  expect(instantText(at, at + day, 'utc')).toBe('2026-11-20 03:14:06')
  expect(zonedText(at, at + hour, 'utc')).toBe('03:14:06 UTC')
  expect(zonedText(at, at - 4 * hour, 'utc')).toBe('2026-11-20 03:14:06 UTC')
})

it('says how far from UTC a local time is', () => {
  expect([0, 120, 330, -210].map(offsetText)).toEqual(['UTC', 'UTC+2', 'UTC+5:30', 'UTC−3:30'])
})
