import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elapsedMs } from './clock.ts'
import {
  deadlineOf,
  expirySeconds,
  incoherentTiming,
  tenureMs,
  untilDeadlineMs,
  writtenTtlSeconds,
} from './lease-time.ts'

describe('expiry', () => {
  it('is the whole second of the statement plus the TTL', () => {
    // Measured: TTL 2 written at .837 lived 1166 ms.
    const writtenAtMs = 1_000_000_837
    const readAtMs = writtenAtMs + 100
    expect(expirySeconds(readAtMs, 2) * 1000 - writtenAtMs).toBe(1163)
  })

  it('is never too low, at whatever part of a second a row is read', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000_000),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(600_000),
        (writtenMs, ttl, laterMs) => {
          const trueExpiry = Math.floor(writtenMs / 1000) + ttl
          const readMs = writtenMs + laterMs
          const ttlLeft = trueExpiry - Math.floor(readMs / 1000)
          fc.pre(ttlLeft > 0)
          // now() may be evaluated up to a second after ttl() was.
          expect(expirySeconds(readMs, ttlLeft)).toBe(trueExpiry)
          expect(expirySeconds(readMs + 999, ttlLeft)).toBeGreaterThanOrEqual(trueExpiry)
        },
      ),
    )
  })

  it('gives the TTL that a row was written with', () => {
    expect(writtenTtlSeconds(1_000_030, 1_000_000_123_456n)).toBe(30)
  })
})

describe('the holder’s deadline', () => {
  const sent = { monotonicMs: 1000, wallMs: 500_000_000_900 }

  it('ends a second and the skew before the TTL, counted from the send', () => {
    expect(tenureMs(30, 500)).toBe(28_500)
    const deadline = deadlineOf(sent, 30, 500)
    expect(untilDeadlineMs(deadline, { monotonicMs: 11_000, wallMs: sent.wallMs + 10_000 })).toBe(18_500)
  })

  it('is before every coordinator shows the row as gone, as long as their clocks keep to the bound', () => {
    const skewBound = 500
    const skew = fc.integer({ min: 0, max: skewBound })
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 100 }),
        fc.nat(999),
        skew,
        skew,
        fc.nat(5000),
        (ttl, fraction, writer, reader, delayMs) => {
          const sentMs = 1_000_000_000 + fraction
          // The statement starts some time after the send; its coordinator's second counts.
          const expirySecond = Math.floor((sentMs + delayMs + writer) / 1000) + ttl
          // Another coordinator shows it gone when its own clock reaches that second.
          const goneMs = expirySecond * 1000 - reader
          expect(sentMs + tenureMs(ttl, skewBound)).toBeLessThanOrEqual(goneMs)
        },
      ),
    )
  })

  it('passes during suspend, when the monotonic clock stands still', () => {
    expect(elapsedMs(sent, { monotonicMs: 1010, wallMs: sent.wallMs + 60_000 })).toBe(60_000)
    // … and a wall clock that is set back does not give time.
    expect(elapsedMs(sent, { monotonicMs: 61_000, wallMs: sent.wallMs - 3_600_000 })).toBe(60_000)
  })
})

describe('incoherent timing is refused with the numbers', () => {
  it.each([
    [1, 500, 'ttlSeconds is 1; 2 to 31536000 are allowed.'],
    [2.5, 500, 'ttlSeconds is 2.5; a whole number of seconds is expected.'],
    [Number.NaN, 500, 'ttlSeconds is NaN; a whole number of seconds is expected.'],
    [2, -1, 'maxClockSkewMs is -1; 0 or more is expected.'],
    [
      2,
      1000,
      'A TTL of 2 s leaves no time to hold the lease: 1 s goes to whole-second expiry and 1000 ms to clock skew.',
    ],
  ])('ttl %s, skew %s', (ttl, skew, sentence) => expect(incoherentTiming(ttl, skew)).toBe(sentence))
  it('accepts the defaults', () => expect(incoherentTiming(180, 500)).toBeUndefined())
})
