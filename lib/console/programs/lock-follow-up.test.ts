import type { LeaseView } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEntry } from '../../contract/audit.ts'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { lockFollowUps } from './lock-follow-up.ts'

/** Of a renewal for 5 s, where the row had 180 s and the version 7; or of an acquisition. */
async function outcomeOf(
  now: Partial<LeaseView> | null,
  {
    ageMs = 300_000,
    early = false,
    before = 180,
    act = 'renewal' as 'renewal' | 'acquire',
    owner = 'holder',
  } = {},
) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const table = {
    id: 'leases',
    mapping: { table: 'leases', name: 'name', owner: 'owner', value: 'value' },
    leases: { read: async () => now as LeaseView | null },
  } as unknown as LeaseTable
  const find = lockFollowUps({ tables: new Map([['leases', table]]), clock, log })[act]
  const intent = {
    id: 'an intent',
    on: { kind: 'lease', table: 'leases', name: 'x', owner },
    actor: { username: 'ann' },
    after: { ttlSeconds: 5, versionBefore: '7', ttlSecondsBefore: before },
    at: new Date(clock.now().wallMs - ageMs).toISOString(),
  }
  const found = await find?.(intent as unknown as AuditEntry, { early })
  return found?.outcome ?? null
}

it('a forced renewal that was interrupted has its own outcome, and none where that cannot be known', async () => {
  const held = { owner: 'holder', version: 9n, ttlSeconds: 5 }
  expect(await outcomeOf(held)).toBe('renewed')
  expect(await outcomeOf({ ...held, version: 7n, ttlSeconds: 180 })).toBe('not-done')
  // The holder has renewed since; or its own TTL is the one that was asked for.
  expect(await outcomeOf({ ...held, ttlSeconds: 180 })).toBe('unknown')
  expect(await outcomeOf(held, { before: 5 })).toBe('unknown')
  expect(await outcomeOf({ ...held, owner: 'next' })).toBe('superseded')
  expect(await outcomeOf(null)).toBe('superseded')
  expect(await outcomeOf(held, { ageMs: 10_000 })).toBeNull()
  expect(await outcomeOf(held, { early: true })).toBeNull()
})

it('an acquisition by hand that was interrupted is known by the owner that the console drew', async () => {
  const owner = 'ann@console:host:1:a:1'
  const of = (now: Partial<LeaseView> | null, name = owner) => outcomeOf(now, { act: 'acquire', owner: name })
  expect(await of({ owner })).toBe('acquired')
  // It may have been acquired, and have ended since.
  expect(await of({ owner: 'next' })).toBe('unknown')
  expect(await of(null)).toBe('unknown')
  // An owner that others use as well proves nothing.
  expect(await of({ owner: 'holder' }, 'holder')).toBe('unknown')
})
