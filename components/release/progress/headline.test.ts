import { describe, expect, it } from 'vitest'
import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { LeaseDetail } from '../../../lib/contract/leases/lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { afterRelease } from './after-release.ts'
import type { AskEnd } from './ask-stage.ts'
import { headlineOf, isEnded } from './headline.ts'
import type { Progress } from './progress.ts'

const release = (over: Partial<Release>) =>
  ({ outcome: 'broken', mode: 'break', current: null, currentReadAt: null, ...over }) as Release
const none: Progress = { of: 'none' }
const lease = testLease({ owner: 'next' })

describe('the headline of a release', () => {
  it('says the act and its outcome, with the time or the owner that matters', () => {
    const broken = (stage: (Progress & { of: 'broken' })['stage']) =>
      headlineOf(release({}), { of: 'broken', stage, safeAtMs: 5, isStale: false })
    expect(broken({ at: 'quarantined' })).toEqual({ act: 'Broken', outcome: 'safe in', untilMs: 5 })
    expect(broken({ at: 'free', acquired: null })).toEqual({ act: 'Broken', outcome: 'free' })
    expect(broken({ at: 'taken', lease })).toEqual({ act: 'Broken', outcome: 'now held by', owner: 'next' })
  })

  it('never says released where nothing was', () => {
    for (const outcome of ['holder-changed', 'not-released', 'not-sent'] as const)
      expect(headlineOf(release({ outcome }), none).act).toBe('Not broken')
    for (const outcome of ['rejected', 'lapsed'] as const)
      expect(headlineOf(release({ outcome }), none).outcome).toBe('nothing was released')
  })
})

describe('the headline of a kill', () => {
  const read = '2026-11-20T03:14:00.000Z'
  const held = (at: string): LeaseReading => ({
    held: true,
    sighting: {
      lease: testLease({ owner: 'next', read: { level: 'SERIAL', at } }) as LeaseDetail,
      now: at,
      arrivedAtMs: 0,
    },
  })
  const free = (now: string): LeaseReading => ({ held: false, readAtMs: 0, now })
  const killed = (over: Partial<Release>, reading: LeaseReading | undefined, isStale = false) => {
    const kill = release({ outcome: 'released', mode: 'kill', now: read, ...over })
    const { outcome, owner } = headlineOf(kill, { of: 'released', ...afterRelease(kill, reading), isStale })
    return owner === undefined ? outcome : `${outcome} ${owner}`
  }
  const later = '2026-11-20T03:14:02.000Z'
  const stored = { current: testLease({ owner: 'stored' }), currentReadAt: '2026-10-30T03:14:00.000Z' }

  it('is of the newest read, also where that found the lease free', () => {
    expect(killed(stored, held(later))).toBe('now held by next')
    expect(killed(stored, free(later))).toBe('free')
    expect(killed({}, free(later))).toBe('free')
  })

  it('is not said of now while the lease cannot be read', () => {
    expect(killed({}, held(later), true)).toBe('last seen held by next')
    expect(killed({}, free(later), true)).toBe('last seen free')
    expect(killed(stored, undefined, true)).toBe('then held by stored')
  })

  it('says of the stored read, which may be weeks old, what was then', () => {
    for (const reading of [undefined, held(read), free(read)])
      expect(killed(stored, reading)).toBe('then held by stored')
    expect(killed({ currentReadAt: stored.currentReadAt }, undefined)).toBe('then free')
  })

  it('says nothing of the lease before it was read again', () => {
    expect(killed({}, undefined)).toBe('not read again yet')
    expect(killed({}, free(read))).toBe('not read again yet')
  })
})

it('ends when nothing more follows: to go on watching is offered before that alone', () => {
  for (const stage of [
    { at: 'unread', hasFailed: true },
    { at: 'waiting' },
    { at: 'silent' },
    { at: 'gone' },
  ] as const)
    expect(
      isEnded(release({ outcome: 'asked' }), {
        of: 'asked',
        stage,
        dueMs: null,
        renewedAt: null,
        isStale: false,
      }),
    ).toBe(false)
  const free = (end: AskEnd): Progress => ({
    of: 'asked',
    stage: { at: 'free', end },
    dueMs: null,
    renewedAt: null,
    isStale: false,
  })
  const released = free({ how: 'released', goneAt: '2026-11-20T03:14:00.000Z', mayActUntilMs: null })
  // Another program may have released it: that the holder did is not said.
  expect(headlineOf(release({ outcome: 'asked' }), released)).toEqual({
    act: 'Asked to resign',
    outcome: 'released early',
  })
  const unseen = free({ how: 'unseen', mayActUntilMs: null })
  expect(headlineOf(release({ outcome: 'asked' }), unseen).outcome).toBe('the holder no longer holds it')
  expect(isEnded(release({ outcome: 'asked' }), released)).toBe(true)
  const broken = (stage: (Progress & { of: 'broken' })['stage']) =>
    isEnded(release({}), { of: 'broken', stage, safeAtMs: 5, isStale: false })
  const stages = [{ at: 'quarantined' }, { at: 'verifying' }, { at: 'free', acquired: null }] as const
  expect(stages.map(broken)).toEqual([false, false, true])
  expect(isEnded(release({ outcome: 'pending' }), none)).toBe(false)
  expect(isEnded(release({ outcome: 'not-sent' }), none)).toBe(true)
})
