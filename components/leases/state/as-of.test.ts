import { expect, it } from 'vitest'
import { asOf } from './as-of.ts'

const lost = { sinceMs: 50_000, goodAtMs: 50_000 }

it('is the moment that the alarm names, however long the stream went on after it', () => {
  expect(asOf({ paused: null, silence: { sinceMs: 54_000 }, lost, unanswered: null })).toBe(50_000)
  expect(asOf({ paused: null, silence: { sinceMs: 48_000 }, lost, unanswered: null })).toBe(48_000)
  expect(
    asOf({ paused: null, silence: null, lost: { sinceMs: 50_000, goodAtMs: 54_000 }, unanswered: null }),
  ).toBe(50_000)
})

it('is when Cassandra answered a read of this table last, if it answers those of others', () => {
  const unanswered = { sinceMs: 40_000 }
  expect(asOf({ paused: null, silence: null, lost: null, unanswered })).toBe(40_000)
  expect(asOf({ paused: null, silence: { sinceMs: 54_000 }, lost, unanswered })).toBe(40_000)
})

it('is the pause where a person stopped the list, and null while it is live', () => {
  expect(asOf({ paused: { sinceMs: 60_000 }, silence: { sinceMs: 54_000 }, lost, unanswered: null })).toBe(
    60_000,
  )
  expect(asOf({ paused: null, silence: null, lost: null, unanswered: null })).toBeNull()
  expect(
    asOf({
      paused: null,
      silence: { sinceMs: null },
      lost: { sinceMs: 5, goodAtMs: null },
      unanswered: null,
    }),
  ).toBeNull()
})
