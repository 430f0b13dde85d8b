import { expect, it } from 'vitest'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { howFreed } from './how-freed.ts'

const at = (second: number) => `2026-11-20T03:14:0${second}.000Z`
const planned = testLease({ owner: 'old', read: { level: 'SERIAL', at: at(2) } })
const kill = {
  mode: 'kill',
  outcome: 'released',
  planned,
  plannedBy: 'ann',
  requestedAt: at(1),
  steps: [
    { what: 'Delete sent', at: at(3), ok: true },
    { what: 'Cassandra answered', at: at(4), ok: true },
  ],
} as unknown as Release

it('a lease that another person killed did not expire', () => {
  expect(howFreed(planned, kill)).toBe('ann killed it after you looked.')
  expect(howFreed(planned, { ...kill, mode: 'break', outcome: 'broken' })).toBe(
    'ann broke it after you looked, and its quarantine is over.',
  )
})

it('what may have ended the tenure is named beside what else may have', () => {
  for (const outcome of ['pending', 'superseded', 'unknown'] as const)
    expect(howFreed(planned, { ...kill, outcome })).toBe(
      'it expired, was released, or ended by the kill that ann asked for.',
    )
})

it('an end of another holder, or of a tenure before, says nothing of this one', () => {
  const unknown = 'it expired or was released after you looked.'
  expect(howFreed(planned, undefined)).toBe(unknown)
  expect(howFreed(planned, { ...kill, planned: testLease({ owner: 'before' }) })).toBe(unknown)
  const later = { ...planned, read: { ...planned.read, at: at(5) } }
  expect(howFreed(later, kill)).toBe(unknown)
})
