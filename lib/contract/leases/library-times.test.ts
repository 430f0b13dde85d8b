import { contentionLimitMs, defaultMaxClockSkewMs, tenureMs } from 'leasehold/time'
import { expect, it } from 'vitest'
import { assumedClockSkewMs, latestRenewalMs, longestContentionMs, usualRenewalMs } from './library-times.ts'

it('pages and the library agree on how long a write contends at most, and on the clock skew', () => {
  expect(longestContentionMs).toBe(contentionLimitMs.v1)
  expect(longestContentionMs).toBe(Math.max(...Object.values(contentionLimitMs)))
  expect(assumedClockSkewMs).toBe(defaultMaxClockSkewMs)
})

it('the library renews after a third of its window, give or take a tenth', () => {
  for (const ttlSeconds of [6, 10, 30, 900]) {
    expect(usualRenewalMs(ttlSeconds)).toBe(tenureMs(ttlSeconds, defaultMaxClockSkewMs) / 3)
    expect(latestRenewalMs(ttlSeconds)).toBeCloseTo(usualRenewalMs(ttlSeconds) * 1.1)
  }
  expect(usualRenewalMs(6)).toBe(1500)
})

it('a TTL that is too short for the library has a rhythm too: other programs write it', () => {
  expect(usualRenewalMs(1)).toBeCloseTo(333, 0)
})
