import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  bucketAfter,
  bucketOf,
  bytesPerBucket,
  compareBuckets,
  dayOfBucket,
  entriesPerBucket,
  isBucket,
  originBucket,
  partitionOf,
} from './bucket.ts'

const noon = Date.UTC(2026, 10, 21, 12)

it.each([
  ['2026-11-21', { entries: 5, bytes: 5 }, null],
  ['2026-11-20', { entries: 5, bytes: 5 }, '2026-11-21'],
  [originBucket, { entries: 0, bytes: 0 }, '2026-11-21'],
  // A clock that is behind, and one that is back from years ahead.
  ['2026-11-22', { entries: 5, bytes: 5 }, null],
  ['2031-01-01', { entries: 5, bytes: bytesPerBucket }, '2031-01-01#2'],
  ['2026-11-21', { entries: entriesPerBucket - 2, bytes: 5 }, null],
  ['2026-11-21', { entries: entriesPerBucket - 1, bytes: 5 }, '2026-11-21#2'],
  ['2026-11-21#9', { entries: 5, bytes: bytesPerBucket }, '2026-11-21#10'],
  ['2026-11-20#9', { entries: 5, bytes: bytesPerBucket }, '2026-11-21'],
])('%s with %j goes over to %s', (bucket, filled, next) =>
  expect(bucketAfter(bucket, filled, noon)).toBe(next),
)

it('a bucket comes after the one that it follows, and stays below 32 MB', () => {
  fc.assert(
    fc.property(fc.nat(40_000), fc.integer({ min: 1, max: 20 }), fc.nat(4e12), (days, part, wallMs) => {
      const day = new Date(days * 86_400_000).toISOString().slice(0, 10)
      const bucket = part === 1 ? day : `${day}#${part}`
      const next = bucketAfter(bucket, { entries: entriesPerBucket, bytes: 0 }, wallMs) as string
      expect(isBucket(next)).toBe(true)
      expect(compareBuckets(bucket, next)).toBeLessThan(0)
      expect(dayOfBucket(next) >= day).toBe(true)
      expect(bucketOf('main', partitionOf('main', next))).toBe(next)
      expect(bucketOf('refused', partitionOf('main', next))).toBeNull()
    }),
  )
  const batch = 128 * 1024 + 24 * 1024
  expect(bytesPerBucket + batch + entriesPerBucket * 80).toBeLessThan(32 * 1024 * 1024)
})
