import { expect, it } from 'vitest'
import { testLease } from '../../../lib/client/row/test-lease.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { LeaseRelease } from '../../../lib/contract/releases/lease-release.ts'
import {
  endedTenureOf,
  headingOf,
  holdsAgain,
  lastDoneAt,
  stillActing,
  stillMatters,
} from './lease-memory.ts'

const minute = 60_000
const atMs = Date.parse('2026-01-02T03:04:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()
const kill: LeaseRelease = {
  id: 'release-1',
  mode: 'kill',
  outcome: 'released',
  owner: 'old',
  by: 'ann',
  approvedBy: null,
  reason: 'INC-1',
  requestedAt: iso(atMs),
  doneAt: iso(atMs + 100),
  safeAt: iso(atMs + 30_000),
}
const at = (ms: number) => iso(atMs + ms)
/** The holder now, read a moment after it was written. */
const holder = (owner: string, writtenMs: number): Lease =>
  testLease({ owner, writtenAt: at(writtenMs), read: { level: 'SERIAL', at: at(writtenMs + 50) } })
const ask: LeaseRelease = { ...kill, mode: 'ask', outcome: 'asked', safeAt: null }

it('after a kill the old holder may act until its TTL is over, also when another owner holds the lease by then', () => {
  expect(stillActing([ask, kill], null, atMs + 29_999)).toBe(kill)
  expect(stillActing([kill], holder('next', 900), atMs + 29_999)).toBe(kill)
  expect(stillActing([kill], null, atMs + 30_000)).toBeUndefined()
  expect(stillActing([{ ...kill, safeAt: null }], null, atMs + 60 * minute)).toBeDefined()
})

it('a kill that did not take effect, or whose holder has it still, leaves no old holder', () => {
  expect(stillActing([{ ...kill, outcome: 'holder-changed' }], null, atMs)).toBeUndefined()
  expect(
    stillActing([{ ...kill, outcome: 'pending', doneAt: null }], holder('old', 50), atMs),
  ).toBeUndefined()
  expect(stillActing([{ ...kill, outcome: 'pending' }], null, atMs)).toBeDefined()
})

it('after a kill the old holder may act also when a holder with the same owner id has acquired the lease again', () => {
  expect(stillActing([kill], holder('old', 900), atMs + 1000)).toBe(kill)
  expect(holdsAgain(kill, holder('old', 900))).toBe(true)
  // The row that was killed, read before that: the page has not read since.
  expect(stillActing([kill], holder('old', 20), atMs + 1000)).toBeUndefined()
  expect(holdsAgain(kill, holder('old', 20))).toBe(false)
  expect(holdsAgain(kill, holder('next', 900))).toBe(false)
  // Where it is not known that the kill took effect, a renewal looks the same.
  for (const outcome of ['pending', 'unknown'] as const)
    expect(holdsAgain({ ...kill, outcome, doneAt: null }, holder('old', 900))).toBe(false)
})

it('a request to resign matters while its holder holds the lease', () => {
  expect(stillMatters(ask, 'old', atMs + 60 * minute)).toBe(true)
  expect(stillMatters(ask, 'next', atMs + 60 * minute)).toBe(false)
  expect(stillMatters(ask, null, atMs + minute)).toBe(true)
})

it('what is over is shown for ten minutes; what did nothing, not at all', () => {
  expect(stillMatters(kill, null, atMs + 10 * minute)).toBe(true)
  expect(stillMatters(kill, null, atMs + 11 * minute)).toBe(false)
  expect(stillMatters({ ...kill, outcome: 'awaiting-approval' }, 'old', atMs + 11 * minute)).toBe(true)
  for (const outcome of ['rejected', 'lapsed', 'holder-changed', 'not-released', 'not-sent'] as const)
    expect(stillMatters({ ...kill, outcome }, 'old', atMs)).toBe(false)
})

it('what was done last counts, and not what may yet be done', () => {
  const doneAt = iso(atMs + minute)
  expect(lastDoneAt([{ ...kill, outcome: 'pending', doneAt: null }, { ...kill, doneAt }, kill])).toBe(doneAt)
  expect(lastDoneAt([{ ...kill, doneAt: null }])).toBeNull()
})

it('a request to resign is no release by force', () => {
  expect(headingOf([ask])).toBe('Release requests')
  expect(headingOf([kill])).toBe('Releases by force')
  expect(headingOf([ask, kill])).toBe('Release requests and releases by force')
})

it('a holder that was asked to resign and then broken or killed did not resign', () => {
  const doneAt = iso(atMs + minute)
  const later = { ...kill, id: 'release-2', requestedAt: doneAt, doneAt }
  expect(endedTenureOf(ask, [later, ask])).toBe(later)
  expect(endedTenureOf(ask, [{ ...later, outcome: 'broken', mode: 'break' }, ask])).toBeDefined()
  // Another holder's end, an end that is not known, and one before the request, say nothing of it.
  expect(endedTenureOf(ask, [{ ...later, owner: 'next' }, ask])).toBeUndefined()
  expect(endedTenureOf(ask, [{ ...later, outcome: 'superseded' }, ask])).toBeUndefined()
  const before = { requestedAt: iso(atMs - 2 * minute), doneAt: iso(atMs - minute) }
  expect(endedTenureOf(ask, [ask, { ...kill, ...before }])).toBeUndefined()
  // Asked for before it, and approved after.
  const approved = { ...later, requestedAt: iso(atMs - minute), doneAt: iso(atMs + minute) }
  expect(endedTenureOf(ask, [ask, approved])).toBe(approved)
})
