import { describe, expect, it } from 'vitest'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
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
      headlineOf(release({}), { of: 'broken', stage, safeAtMs: 5 })
    expect(broken({ at: 'quarantined' })).toEqual({ act: 'Broken', outcome: 'safe in', untilMs: 5 })
    expect(broken({ at: 'free', acquired: null })).toEqual({ act: 'Broken', outcome: 'free' })
    expect(broken({ at: 'taken', lease })).toEqual({ act: 'Broken', outcome: 'now held by', owner: 'next' })
    const killed = release({ outcome: 'released', mode: 'kill' })
    expect(headlineOf(killed, { of: 'released', owner: null, seen: null })).toEqual({
      act: 'Killed',
      outcome: 'free',
    })
  })

  it('never says released where nothing was', () => {
    for (const outcome of ['holder-changed', 'not-released', 'not-sent'] as const)
      expect(headlineOf(release({ outcome }), none).act).toBe('Not broken')
    for (const outcome of ['rejected', 'lapsed'] as const)
      expect(headlineOf(release({ outcome }), none).outcome).toBe('nothing was released')
  })
})

it('ends when nothing more follows: to go on watching is offered before that alone', () => {
  const asked = (at: 'waiting' | 'silent') =>
    isEnded(release({ outcome: 'asked' }), { of: 'asked', stage: { at }, dueMs: null, renewedAt: null })
  expect([asked('waiting'), asked('silent')]).toEqual([false, false])
  const free = (end: AskEnd): Progress => ({
    of: 'asked',
    stage: { at: 'free', end },
    dueMs: null,
    renewedAt: null,
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
    isEnded(release({}), { of: 'broken', stage, safeAtMs: 5 })
  const stages = [{ at: 'quarantined' }, { at: 'verifying' }, { at: 'free', acquired: null }] as const
  expect(stages.map(broken)).toEqual([false, false, true])
  expect(isEnded(release({ outcome: 'pending' }), none)).toBe(false)
  expect(isEnded(release({ outcome: 'not-sent' }), none)).toBe(true)
})
