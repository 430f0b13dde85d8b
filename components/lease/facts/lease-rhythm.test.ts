import { expect, it } from 'vitest'
import { libraryOwner, sightingAt } from '../../../lib/client/row/test-lease.ts'
import { clockLease } from '../../../lib/client/time/countdown.ts'
import { rhythmOf } from './lease-rhythm.ts'

it('a holder stops after ttl - 1 s - skew from its write, before the row ends', () => {
  // Written at .300 of a second: the row lives 29.7 s of its 30.
  const written = { owner: libraryOwner, writtenAt: '2026-11-20T03:13:50.300Z' }
  const clocked = clockLease(sightingAt(0, { ...written, remainingMs: 20_000 }))
  expect(rhythmOf(clocked)).toEqual({ renewsMs: 20_200, riskMs: 10_000, stopsMs: 1200, ttlMs: 30_000 })
})

it('of a holder that is not the library’s no moment is guessed, and none is at risk before a renewal was seen', () => {
  const first = clockLease(sightingAt(0))
  expect(rhythmOf(first)).toEqual({ renewsMs: null, riskMs: null, stopsMs: null, ttlMs: 30_000 })
  const renewal = { version: '1795144435302118', writtenAt: '2026-11-20T03:14:01.000Z' }
  expect(rhythmOf(clockLease(sightingAt(2000, renewal), first))).toMatchObject({
    riskMs: 10_000,
    stopsMs: null,
  })
})

it('a row without an expiry has no rhythm', () => {
  expect(rhythmOf(clockLease(sightingAt(0, { remainingMs: null, ttlSeconds: null })))).toBeNull()
})
