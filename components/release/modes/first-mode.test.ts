import { expect, it } from 'vitest'
import type { ReleaseMode, ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { firstMode } from './first-mode.ts'

const offers = (...allowed: ReleaseMode[]) => {
  const offer = (mode: ReleaseMode) => ({
    allowed: allowed.includes(mode),
    needsElevation: mode !== 'ask',
    overlapMs: 0,
    usualOverlapMs: null,
    quarantineMs: null,
    answerDueMs: null,
  })
  return { ask: offer('ask'), break: offer('break'), kill: offer('kill') } satisfies ReleasePlan['modes']
}

it('is the mildest that is allowed, and never kill', () => {
  expect(firstMode(offers('ask', 'break', 'kill'), null)).toBe('ask')
  expect(firstMode(offers('break', 'kill'), null)).toBe('break')
  expect(firstMode(offers('kill'), null)).toBeNull()
  expect(firstMode(offers(), null)).toBeNull()
})

it('is the one that was wanted, where that is allowed', () => {
  expect(firstMode(offers('ask', 'break'), 'break')).toBe('break')
  expect(firstMode(offers('ask', 'kill'), 'kill')).toBe('kill')
  expect(firstMode(offers('ask'), 'break')).toBe('ask')
})
