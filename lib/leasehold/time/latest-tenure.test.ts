import fc from 'fast-check'
import { expect, it } from 'vitest'
import { latestTenureMs } from './latest-tenure.ts'
import { tenureMs, writtenTtlSeconds } from './lease-time.ts'
import { contentionLimitMs } from './paxos.ts'

const skewBoundMs = 500

it.each(['v1', 'v2'] as const)(
  'covers the deadline of a holder whose write contended before its TTL was read, under %s',
  (variant) => {
    const skew = fc.integer({ min: 0, max: skewBoundMs })
    const moments = fc.record({
      startMs: fc.integer({ min: 1_000_000_000, max: 1_000_010_000 }),
      contendedMs: fc.nat(contentionLimitMs[variant]),
    })
    let worstMs = Number.POSITIVE_INFINITY
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 100 }),
        skew,
        skew,
        moments,
        (ttl, writer, ballot, { startMs, contendedMs }) => {
          const expiry = Math.floor((startMs + writer) / 1000) + ttl
          const writetime = BigInt(startMs + contendedMs + Math.max(writer, ballot)) * 1000n
          const readTtl = writtenTtlSeconds(expiry, writetime)
          // A renewal that is sent as the delete is applied comes too late: this is its deadline.
          const sparedMs = latestTenureMs(readTtl, variant) - tenureMs(ttl, skewBoundMs)
          worstMs = Math.min(worstMs, sparedMs)
          return sparedMs >= 0
        },
      ),
      { numRuns: 5_000 },
    )
    // No larger than it has to be.
    expect(worstMs).toBeLessThan(1_000)
  },
)

it('is longer than the TTL as read, which a contended write makes too short', () => {
  // TTL 30 s, contended for 1.3 s from .900: read as 28 s, while the holder's own deadline is 28.5 s away.
  expect(writtenTtlSeconds(1_030, 1_002_200_000n)).toBe(28)
  expect(28_000).toBeLessThan(tenureMs(30, skewBoundMs))
  expect(latestTenureMs(28, 'v2')).toBe(30_000)
})
