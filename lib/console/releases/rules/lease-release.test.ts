import { expect, it } from 'vitest'
import type { Lease } from '../../../contract/leases/lease.ts'
import type { Release } from '../../../contract/releases/release.ts'
import { leaseReleaseOf, shownReleases } from './lease-release.ts'

const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`
const planned: Lease = {
  table: 'leases',
  name: 'job',
  owner: 'holder',
  value: null,
  state: 'held',
  version: '7',
  writtenAt: at(0),
  expiresAt: at(30),
  remainingMs: 1,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at: at(1) },
}
const release: Release = {
  id: 'release-1',
  outcome: 'released',
  planned,
  plannedBy: 'ann',
  plannedAt: at(1),
  planExpiresAt: at(59),
  mode: 'kill',
  reason: 'INC-1',
  requestedAt: at(5),
  approval: null,
  renewedSincePlan: false,
  current: null,
  currentReadAt: null,
  safeAt: null,
  overlapMs: 32_000,
  steps: [{ what: 'Cassandra answered', at: at(6), ok: true }],
  finalBy: null,
  now: at(9),
}

it('after a kill the old holder may act for its whole TTL, and as long as its last write may have contended', () => {
  expect(leaseReleaseOf(release)).toMatchObject({ mode: 'kill', by: 'ann', owner: 'holder', safeAt: at(38) })
})

it('of a kill that is under way too, and for ever without an expiry', () => {
  const pending: Release = { ...release, outcome: 'pending' }
  // Sent at second 5: it may take effect for 30 s.
  expect(leaseReleaseOf({ ...pending, finalBy: at(35) })?.safeAt).toBe('2026-01-02T03:05:07.000Z')
  // Not known to this instance: it may be sent 30 s after the request.
  expect(leaseReleaseOf({ ...pending, steps: [] })?.safeAt).toBe('2026-01-02T03:05:37.000Z')
  expect(leaseReleaseOf({ ...release, outcome: 'unknown' })?.safeAt).toBe('2026-01-02T03:05:37.000Z')
  const eternal = { ...planned, ttlSeconds: null, expiresAt: null }
  expect(leaseReleaseOf({ ...release, planned: eternal })?.safeAt).toBeNull()
})

it('says when Cassandra answered, which is later than the request', () => {
  const sent = [
    { what: 'Holder re-read at SERIAL', at: at(5), ok: true },
    { what: "Delete sent, IF owner = 'holder'", at: at(6), ok: true },
  ]
  const answered = [...sent, { what: 'Cassandra answered', at: at(7), ok: true }]
  const doneAt = (over: Partial<Release>) => leaseReleaseOf({ ...release, steps: answered, ...over })?.doneAt
  expect(doneAt({})).toBe(at(7))
  expect(doneAt({ mode: 'break', outcome: 'broken' })).toBe(at(7))
  // It took no effect, or not for certain.
  for (const outcome of ['pending', 'unknown', 'superseded', 'awaiting-approval', 'holder-changed'] as const)
    expect(doneAt({ outcome })).toBeNull()
  // The answer was lost, or the server stopped midway: a read showed the outcome later.
  const lost = { what: 'No answer', at: at(7), ok: false }
  expect(
    doneAt({ steps: [...sent, lost, { what: 'Lease re-read at SERIAL: free', at: at(9), ok: true }] }),
  ).toBeNull()
  const found = { what: 'The server stopped midway; a SERIAL read found the outcome', at: at(59), ok: true }
  expect(doneAt({ mode: 'break', outcome: 'broken', steps: [found] })).toBeNull()
})

it('a plan that was not carried out is no release', () => {
  expect(leaseReleaseOf({ ...release, outcome: 'planned', mode: null, requestedAt: null })).toBeUndefined()
})

it.each(['awaiting-approval', 'rejected', 'lapsed', 'not-sent', 'not-released', 'holder-changed'] as const)(
  'a kill that deleted nothing says no time by which the old holder has stopped: %s',
  (outcome) => {
    expect(leaseReleaseOf({ ...release, outcome })?.safeAt).toBeNull()
  },
)

it('the kill after which the old holder may still act is not pushed out by later requests', () => {
  const brief = (over: Partial<Release>) => leaseReleaseOf({ ...release, ...over }) ?? expect.fail()
  const asks = Array.from({ length: 7 }, (_, n) =>
    brief({ id: `ask-${n}`, mode: 'ask', outcome: 'asked', requestedAt: at(20) }),
  )
  const shown = (over: Partial<Release>, second: number) =>
    shownReleases([...asks, brief({ id: 'kill', ...over })], Date.parse(at(second))).map(({ id }) => id)
  const newest = ['ask-0', 'ask-1', 'ask-2', 'ask-3', 'ask-4']
  expect(shown({}, 37)).toEqual([...newest, 'kill'])
  expect(shown({}, 38)).toEqual(newest)
  expect(shown({ planned: { ...planned, ttlSeconds: null, expiresAt: null } }, 59)).toEqual([
    ...newest,
    'kill',
  ])
  expect(shown({ outcome: 'unknown' }, 59)).toEqual([...newest, 'kill'])
  expect(shown({ outcome: 'holder-changed' }, 6)).toEqual(newest)
})

it('after a day a lease shows only the kill after which the old holder may still act', () => {
  const weekSeconds = 604_800
  const held = { ...planned, ttlSeconds: weekSeconds, expiresAt: '2026-01-09T03:04:00.000Z' }
  const kill = leaseReleaseOf({ ...release, planned: held, overlapMs: weekSeconds * 1_000 }) ?? expect.fail()
  const ask = leaseReleaseOf({ ...release, id: 'ask', mode: 'ask', outcome: 'asked' }) ?? expect.fail()
  const shownAt = (day: number) =>
    shownReleases([ask, kill], Date.parse(at(20)) + day * 86_400_000).map(({ id }) => id)
  expect([shownAt(0), shownAt(1), shownAt(6), shownAt(8)]).toEqual([
    ['ask', 'release-1'],
    ['release-1'],
    ['release-1'],
    [],
  ])
})
