import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expirySeconds, tenureMs, writtenTtlSeconds } from './lease-time.ts'
import { contentionLimitMs, type PaxosVariant } from './paxos.ts'
import { quarantineSeconds } from './quarantine-time.ts'

describe('the quarantine of a broken lease', () => {
  it.each([
    [30, 500, 'v2', 35],
    [30, 100, 'v2', 35],
    [30, 0, 'v2', 34],
    [30, 500, 'v1', 43],
    [6, 501, 'v1', 20],
  ] as const)('of %s s, with a skew of %s ms, under %s: %s s', (ttl, skew, variant, seconds) => {
    expect(quarantineSeconds(ttl, skew, variant)).toBe(seconds)
  })

  it('covers a lease of a year, and one of a plain client that is longer, with the margin', () => {
    expect(quarantineSeconds(31_536_000, 500, 'v1')).toBe(31_536_013)
    expect(quarantineSeconds(2 * 31_536_000, 500, 'v2')).toBe(63_072_005)
  })

  it('is none where Cassandra takes no TTL that is long enough', () => {
    expect(quarantineSeconds(630_719_995, 500, 'v2')).toBe(630_720_000)
    expect(quarantineSeconds(630_719_996, 500, 'v2')).toBeNull()
    expect(quarantineSeconds(630_720_000, 0, 'v2')).toBeNull()
  })

  const skewBoundMs = 500
  const skew = fc.integer({ min: 0, max: skewBoundMs })

  /** @returns by how many milliseconds the row is free before the old deadline; negative: it is free after it */
  const early = (
    variant: PaxosVariant,
    ttl: number,
    [planned, ballot, mark, reader]: readonly [number, number, number, number],
    { startMs, contendedMs, slipMs, markContendsMs }: Record<string, number>,
    seconds = quarantineSeconds,
  ) => {
    // The write that the operator reads: its expiry counts from its start, its ballot is of its end.
    const writetime =
      BigInt((startMs as number) + (contendedMs as number) + Math.max(planned, ballot)) * 1000n
    const expiry = Math.floor(((startMs as number) + planned) / 1000) + ttl
    expect(expirySeconds(expiry * 1000 - ttl * 1000, ttl)).toBe(expiry)
    const readTtl = writtenTtlSeconds(expiry, writetime)
    // The mark's statement starts. While it contends, the holder sends a renewal, which Cassandra applies first.
    const markStartMs = (startMs as number) + (contendedMs as number) + (slipMs as number)
    const deadlineMs = markStartMs + (markContendsMs as number) + tenureMs(ttl, skewBoundMs)
    const markTtl = seconds(readTtl, skewBoundMs, variant) ?? Number.NaN
    const markExpiry = Math.floor((markStartMs + mark) / 1000) + markTtl
    return deadlineMs - (markExpiry * 1000 - reader)
  }
  const moments = (variant: PaxosVariant) =>
    fc.record({
      startMs: fc.integer({ min: 1_000_000_000, max: 1_000_010_000 }),
      contendedMs: fc.nat(contentionLimitMs[variant]),
      slipMs: fc.nat(5_000),
      markContendsMs: fc.nat(contentionLimitMs[variant]),
    })

  it.each(['v1', 'v2'] as const)('outlasts a renewal between read and mark, under %s', (variant) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 100 }),
        fc.tuple(skew, skew, skew, skew),
        moments(variant),
        (ttl, skews, when) => {
          expect(early(variant, ttl, skews, when)).toBeLessThanOrEqual(0)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('outlasts it too where both writes contend for as long as Cassandra lets them', () => {
    for (const variant of ['v1', 'v2'] as const)
      for (const startMs of [1_000_000_000, 1_000_000_500, 1_000_000_999])
        for (const skews of [
          [0, 0, 0, 0],
          [0, 500, 0, 500],
          [500, 0, 0, 500],
        ] as const) {
          const limit = contentionLimitMs[variant]
          const when = { startMs, contendedMs: limit, slipMs: 0, markContendsMs: limit }
          expect(early(variant, 20, skews, when)).toBeLessThanOrEqual(0)
        }
  })

  it('would not, if it counted the rest of the TTL instead of all of it', () => {
    const when = { startMs: 1_000_000_000, contendedMs: 0, slipMs: 10_000, markContendsMs: 900 }
    const left = (ttl: number, skewMs: number, variant: PaxosVariant) =>
      quarantineSeconds(ttl - 10, skewMs, variant)
    expect(early('v2', 30, [0, 0, 0, 500], when, left)).toBeGreaterThan(0)
  })
})
