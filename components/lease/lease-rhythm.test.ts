import { expect, it } from 'vitest'
import { clockLease } from '../../lib/client/countdown.ts'
import { sightingAt } from '../../lib/client/test-lease.ts'
import { rhythmOf } from './lease-rhythm.ts'

it('a holder stops after ttl - 1 s - skew from its write, before the row ends', () => {
  // Written at .300 of a second: the row lives 29.7 s of its 30.
  const clocked = clockLease(sightingAt(0, { writtenAt: '2026-11-20T03:13:50.300Z', remainingMs: 20_000 }))
  expect(rhythmOf(clocked)).toEqual({ renewsMs: 20_000, riskMs: 10_000, stopsMs: 1200, ttlMs: 30_000 })
})

it('a row without an expiry has no rhythm', () => {
  expect(rhythmOf(clockLease(sightingAt(0, { remainingMs: null, ttlSeconds: null })))).toBeNull()
})
