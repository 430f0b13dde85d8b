import { describe, expect, it, vi } from 'vitest'
import { libraryOwner, sightingAt, testLease } from '../row/test-lease.ts'
import { clockLease, isOwnerless, nextChange, shareLeft, stateAt } from './countdown.ts'
import { pageClock } from './page-clock.ts'

describe('clockLease', () => {
  it('ends as long after the arrival as the reply says, whatever the wall clock', () => {
    const { clock } = clockLease(sightingAt(5000, { owner: libraryOwner }))
    expect(clock.endsAtMs).toBe(25_000)
    expect(clock.riskAtMs).toBe(15_000)
  })

  it('puts the read and the write on the monotonic clock', () => {
    const lease = testLease()
    const { clock } = clockLease({ lease, now: '2026-11-20T03:14:00.400Z', arrivedAtMs: 1000 })
    expect(clock.readAtMs).toBe(600)
    expect(clock.writtenAtMs).toBe(1000 - 10_400)
  })

  it('keeps the earliest end of one writing: a reply is only ever late', () => {
    const first = clockLease(sightingAt(0))
    const late = clockLease(sightingAt(2080, { remainingMs: 18_000 }), first)
    expect(late.clock.endsAtMs).toBe(20_000)
    const early = clockLease(sightingAt(4000, { remainingMs: 15_900 }), late)
    expect(early.clock.endsAtMs).toBe(19_900)
  })

  it('does not move for a few milliseconds: a bar would restart', () => {
    const first = clockLease(sightingAt(0))
    expect(clockLease(sightingAt(2000, { remainingMs: 17_990 }), first).clock.endsAtMs).toBe(20_000)
  })

  it('forgets the end once the row was read after it', () => {
    const first = clockLease(sightingAt(0, { remainingMs: 1000 }))
    const after = clockLease(sightingAt(1500, { remainingMs: 3000 }), first)
    expect(after.clock.endsAtMs).toBe(4500)
  })

  it('forgets the end that was counted before a suspend, in which the page’s clock may have gone too far', () => {
    const first = clockLease(sightingAt(0))
    const suspended = vi.spyOn(pageClock, 'wasSuspendedSince').mockImplementation((atMs) => atMs < 3000)
    const after = clockLease(sightingAt(3500, { remainingMs: 18_000 }), first)
    const later = clockLease(sightingAt(4500, { remainingMs: 17_100 }), after)
    suspended.mockRestore()
    expect([after.clock.endsAtMs, later.clock.endsAtMs]).toEqual([21_500, 21_500])
  })

  it('restarts with a renewal, and with another holder', () => {
    const first = clockLease(sightingAt(0, { remainingMs: 9000 }))
    const renewed = clockLease(sightingAt(1000, { version: '1795144435302118', remainingMs: 29_000 }), first)
    expect(renewed.clock.endsAtMs).toBe(30_000)
  })

  it('lets a zombie end with its value', () => {
    const zombie = {
      owner: null,
      state: 'zombie',
      version: null,
      remainingMs: null,
      valueRemainingMs: 7000,
    } as const
    expect(clockLease(sightingAt(100, zombie)).clock.endsAtMs).toBe(7100)
  })

  it('has no end without a TTL', () => {
    const eternal = { state: 'eternal', remainingMs: null, valueRemainingMs: null, ttlSeconds: null } as const
    expect(clockLease(sightingAt(0, eternal)).clock.endsAtMs).toBeNull()
  })
})

describe('stateAt', () => {
  it('goes from held to at risk to verifying, and never further', () => {
    const clocked = clockLease(sightingAt(0, { owner: libraryOwner }))
    expect(stateAt(clocked, 0)).toBe('held')
    expect(stateAt(clocked, 10_001)).toBe('risk')
    expect(stateAt(clocked, 19_999)).toBe('risk')
    expect(stateAt(clocked, 20_000)).toBe('verifying')
    expect(stateAt(clocked, 9_999_999)).toBe('verifying')
  })

  it('says what kind of row it is', () => {
    const state = (over: Parameters<typeof sightingAt>[1]) => stateAt(clockLease(sightingAt(0, over)), 1000)
    expect(state({ valueRemainingMs: 5000 })).toBe('partial')
    expect(state({ owner: '!quarantine:7' })).toBe('quarantined')
    expect(state({ owner: null, state: 'zombie', version: null, remainingMs: null })).toBe('zombie')
    expect(state({ remainingMs: null, valueRemainingMs: null, ttlSeconds: null })).toBe('eternal')
    expect(state({ owner: null, state: 'held', version: null, ttlSeconds: null, remainingMs: null })).toBe(
      'held',
    )
  })
})

describe('a rhythm of renewals', () => {
  const renewal = { version: '1795144435302118', writtenAt: '2026-11-20T03:14:01.000Z' }
  const late = (clocked: ReturnType<typeof clockLease>) => stateAt(clocked, (clocked.clock.endsAtMs ?? 0) - 1)

  it('is not claimed of a lease that was only ever written once: it is held to its end', () => {
    const clocked = clockLease(sightingAt(1000), clockLease(sightingAt(0)))
    expect([clocked.renewed, late(clocked), clocked.clock.riskAtMs]).toEqual([false, 'held', null])
  })

  it('was seen once the version has grown under one owner, and is remembered', () => {
    const renewed = clockLease(sightingAt(2000, renewal), clockLease(sightingAt(0)))
    expect([renewed.renewed, late(renewed)]).toEqual([true, 'risk'])
    expect(clockLease(sightingAt(3000, renewal), renewed).renewed).toBe(true)
  })

  it('ends with the tenure: with another owner, and with a row written after the end of the one before', () => {
    const renewed = clockLease(sightingAt(2000, renewal), clockLease(sightingAt(0)))
    expect(clockLease(sightingAt(3000, { ...renewal, owner: 'p' }), renewed).renewed).toBe(false)
    const again = { version: '1795144475302118', writtenAt: '2026-11-20T03:14:21.000Z' }
    expect(clockLease(sightingAt(21_000, again), renewed).renewed).toBe(false)
  })
})

describe('nextChange', () => {
  it('is the moment of risk, then the end, then nothing', () => {
    const clocked = clockLease(sightingAt(0, { owner: libraryOwner }))
    expect(nextChange(clocked, 0)).toBe(10_001)
    expect(nextChange(clocked, 10_001)).toBe(20_000)
    expect(nextChange(clocked, 20_000)).toBeNull()
  })

  it('was the end where the moment of risk had come, and the lease was still held', () => {
    const clocked = clockLease(sightingAt(0, { owner: libraryOwner }))
    expect([stateAt(clocked, 10_000), nextChange(clocked, 10_000)]).toEqual(['held', 10_001])
    expect(nextChange(clocked, 10_000.5)).toBe(10_001)
    expect(stateAt(clocked, 10_001)).toBe('risk')
  })
})

describe('shareLeft', () => {
  it('is the part of the TTL that is left, between 0 and 1', () => {
    expect(shareLeft(15_000, 30, 0)).toBe(0.5)
    expect(shareLeft(15_000, 30, 20_000)).toBe(0)
    expect(shareLeft(90_000, 30, 0)).toBe(1)
    expect(shareLeft(null, 30, 0)).toBe(1)
  })
})

it('distinguishes a row of a table without an owner column from a zombie', () => {
  expect(isOwnerless({ owner: null, state: 'held' })).toBe(true)
  expect(isOwnerless({ owner: null, state: 'zombie' })).toBe(false)
  expect(isOwnerless({ owner: 'o', state: 'held' })).toBe(false)
})
