import { expect, it } from 'vitest'
import type { Lease } from '../../../contract/leases/lease.ts'
import type { Session } from '../../../contract/people/session.ts'
import { offersOf } from './offers.ts'

const at = '2026-01-02T03:04:05.000Z'
const lease: Lease = {
  table: 'leases',
  name: 'job',
  owner: 'holder',
  value: null,
  state: 'held',
  version: '7',
  writtenAt: at,
  expiresAt: at,
  remainingMs: 1,
  valueRemainingMs: null,
  ttlSeconds: 30,
  read: { level: 'SERIAL', at },
}
const config = { adminActions: true, maxClockSkewMs: 500, secondPersonFor: [], secondPersonAfterMs: 0 }
const admin = { username: 'ann', role: 'admin', via: 'password' } as unknown as Session
const breaking = (ttlSeconds: number | null) =>
  offersOf({ ...lease, ttlSeconds }, admin, { config, paxosVariant: 'v2' }, 0).break

it.each([
  [30, 35_000],
  [31_536_000, 31_536_005_000],
  [63_072_000, 63_072_005_000],
])('breaks a lease of %i s for its whole TTL and the margin', (ttlSeconds, quarantineMs) => {
  expect(breaking(ttlSeconds)).toMatchObject({ allowed: true, quarantineMs })
})

it.each([
  ['an empty owner', { owner: '' }, /owner is empty/],
  ['an owner of 513 bytes', { owner: 'x'.repeat(513) }, /longer than 512 bytes/],
  ['an owner that begins as marks do', { owner: '!me' }, /begins with/],
  // Read a millisecond before its expiry.
  [
    'a row that is dated 2 s ahead',
    { version: String((Date.parse(at) + 2_000) * 1_000) },
    /dated 2001 ms ahead/,
  ],
])('offers no break of %s, which would use the plan up', (_, changed, reason) => {
  const offers = offersOf({ ...lease, ...changed }, admin, { config, paxosVariant: 'v2' }, 0)
  expect(offers.break).toMatchObject({ allowed: false, reason })
  expect(offers.kill.allowed).toBe(true)
})

it('a row that is dated ahead looks as if it had no TTL: its holder may go on for what is left at least', () => {
  const version = String((Date.parse(at) + 3_600_000) * 1_000)
  const dated = { ...lease, version, ttlSeconds: 0, remainingMs: 591_700 }
  const { kill } = offersOf(dated, admin, { config, paxosVariant: 'v2' }, 0)
  expect(kill.overlapMs).toBeGreaterThanOrEqual(591_700)
})

it('offers a break of a row that is dated within the skew', () => {
  const version = String((Date.parse(at) + 400) * 1_000)
  const offers = offersOf({ ...lease, version }, admin, { config, paxosVariant: 'v2' }, 0)
  expect(offers.break.allowed).toBe(true)
})

it('breaks no lease for which no quarantine is long enough, and says why', () => {
  expect(breaking(630_720_000)).toMatchObject({ allowed: false, quarantineMs: null, reason: /20 years/ })
  expect(breaking(null)).toMatchObject({ allowed: false, quarantineMs: null, reason: /no expiry/ })
})
