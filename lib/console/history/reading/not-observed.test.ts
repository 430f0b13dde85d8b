import { expect, it } from 'vitest'
import type { Stretch } from '../recordings.ts'
import { notObserved, withDropped } from './not-observed.ts'

const nowMs = 10_000_000
const stretch = (beganMs: number, untilMs: number, known: Partial<Stretch> = {}): Stretch => ({
  beganMs,
  untilMs,
  recorder: 'r',
  what: 'everything',
  why: 'no-recorder',
  ...known,
})
const gaps = (stretches: Stretch[], fromMs = 0, toMs = nowMs) =>
  notObserved(stretches, { fromMs, toMs }, nowMs).map((gap) => [gap.fromMs, gap.toMs, gap.why, gap.what])

it('without a stretch nothing was observed', () => {
  expect(gaps([])).toEqual([[0, nowMs, 'no-recorder', 'everything']])
})

it('what is between two stretches was not observed, and the later one says why', () => {
  const stretches = [
    stretch(1_000, 5_000),
    stretch(4_000, 6_000),
    stretch(7_000, 8_000, { why: 'store' }),
    stretch(9_000, nowMs - 5_000, { why: 'dropped' }),
  ]
  expect(gaps(stretches)).toEqual([
    [8_000, 9_000, 'dropped', 'everything'],
    [6_000, 7_000, 'store', 'everything'],
    [0, 1_000, 'no-recorder', 'everything'],
  ])
  expect(gaps(stretches, 6_500, 8_500)).toEqual([
    [8_000, 8_500, 'dropped', 'everything'],
    [6_500, 7_000, 'store', 'everything'],
  ])
})

it('the last minute is not missing yet, and what is older is', () => {
  expect(gaps([stretch(0, nowMs - 59_000)])).toEqual([])
  expect(gaps([stretch(0, nowMs - 61_000)])).toEqual([[nowMs - 61_000, nowMs, 'no-recorder', 'everything']])
})

it('a minute whose renewals were dropped was observed otherwise', () => {
  const dropped = stretch(2_000, 3_000, { what: 'renewals', why: 'dropped' })
  expect(gaps([stretch(0, nowMs), dropped])).toEqual([[2_000, 3_000, 'dropped', 'renewals']])
})

it('what the holders could not write was not observed either, in its place', () => {
  const dropped = { id: 'g', name: 'job', source: 'library' as const, fromMs: 3_000, toMs: 4_000 }
  const gaps = notObserved([stretch(1_000, nowMs)], { fromMs: 0, toMs: nowMs }, nowMs)
  expect(withDropped(gaps, [{ ...dropped, what: 'everything' }])).toEqual([
    { fromMs: 3_000, toMs: 4_000, what: 'everything', why: 'dropped' },
    { fromMs: 0, toMs: 1_000, what: 'everything', why: 'no-recorder' },
  ])
})
