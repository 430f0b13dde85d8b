import type { LeaseView } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEntry } from '../../../contract/audit.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { Releases } from '../releases.ts'
import { releaseFollowUp } from './follow-up.ts'

const releases = { isRunning: () => false, read: async () => null } as unknown as Releases
const row = { name: 'x', owner: null, value: null, version: null, expiresAtMs: null, read: {} }

/** Of a release in a table without an owner column, whose intent is `ageMs` old. */
function followUp(row: unknown, ageMs: number) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const table = {
    id: 'cron',
    mapping: { table: 'cron', name: 'lockname', owner: null, value: null },
    leases: { read: async () => row as LeaseView | null },
  } as unknown as LeaseTable
  const find = releaseFollowUp({ releases, tables: new Map([['cron', table]]), clock, log })
  const intent = {
    id: 'an intent',
    on: { kind: 'lease', table: 'cron', name: 'x', owner: null },
    at: new Date(clock.now().wallMs - ageMs).toISOString(),
  }
  return find(intent as unknown as AuditEntry, { early: false })
}

it('finds the outcome of a release in a table without an owner column', async () => {
  expect(await followUp(null, 300_000)).toMatchObject({ outcome: 'superseded' })
  const present = { ...row, read: { level: 'SERIAL', at: { monotonicMs: 0, wallMs: 0 }, serverNowMs: 0 } }
  expect(await followUp(present, 1_000)).toBeNull()
  // The released holder's row, or the next one's: the table does not say.
  expect(await followUp(present, 300_000)).toMatchObject({ outcome: 'unknown' })
})
