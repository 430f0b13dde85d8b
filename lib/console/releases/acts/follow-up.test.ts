import { LeaseProtocol, type LeaseView } from 'leasehold/lease'
import { forcedSettleMs, Operator } from 'leasehold/operator'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../contract/audit.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { audited } from '../../audit/audited.ts'
import { actOverAfterIntentMs } from '../../audit/recovery/recovery.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { noReport, type ReleaseRecord, type Report } from '../release-record.ts'
import type { ReleaseServices } from '../release-services.ts'
import type { Releases } from '../releases.ts'
import {
  approvalFollowUp,
  rejectionFollowUp,
  releaseFollowUp,
  requestFollowUp,
  staleReport,
} from './follow-up.ts'

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
    after: { mode: 'kill' },
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

/** Of a release by a plan whose row another client has deleted; `now`: what became of the lease. */
async function withoutRow(
  mode: string | undefined,
  now: 'held' | 'free' | 'broken',
  { early = false, before = { planId: 'plan' } as object, id = 'plan', of = releases } = {},
) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const leases = new LeaseProtocol({ store: new MemoryLeaseStore(clock), clock, timer: clock })
  const table = {
    id: 'leases',
    mapping: { table: 'leases', name: 'name', owner: 'owner', value: 'value' },
    leases,
  } as unknown as LeaseTable
  const holder = { name: 'x', owner: 'holder' }
  if (now !== 'free') await clock.run(leases.tryAcquire('x', { owner: 'holder', ttlSeconds: 60 }))
  if (now === 'broken') await clock.run(new Operator(leases).break(holder, { id: 'plan', value: null }))
  const find = releaseFollowUp({ releases: of, tables: new Map([['leases', table]]), clock, log })
  const intent = {
    id,
    on: { kind: 'lease', table: 'leases', ...holder },
    before,
    after: { mode },
    at: new Date(clock.now().wallMs - (early ? 6_000 : 300_000)).toISOString(),
  }
  return clock.run(find(intent as unknown as AuditEntry, { early }))
}

it('a break whose plan was deleted is found by its mark, early and late, and is no kill', async () => {
  const broken = { outcome: 'broken', after: { mode: 'break', outcome: 'broken' } }
  expect(await withoutRow('break', 'broken')).toMatchObject(broken)
  expect(await withoutRow('break', 'broken', { early: true })).toMatchObject(broken)
  expect(await withoutRow('break', 'held', { early: true })).toBeNull()
  expect(await withoutRow('kill', 'free', { early: true })).toBeNull()
})

it('where the plan was deleted, what only its row could tell is unknown', async () => {
  expect(await withoutRow('break', 'free')).toMatchObject({ outcome: 'unknown', after: { mode: 'break' } })
  expect(await withoutRow('break', 'held')).toMatchObject({ outcome: 'not-released' })
  expect(await withoutRow('kill', 'free')).toMatchObject({ outcome: 'unknown', after: { mode: 'kill' } })
  expect(await withoutRow(undefined, 'free')).toEqual({ outcome: 'unknown', after: null })
  // A person's `DELETE` has no plan: nothing is hidden.
  expect(await withoutRow('kill', 'free', { before: {} })).toMatchObject({ outcome: 'superseded' })
})

it.each([
  ['rejection', rejectionFollowUp, {}],
  ['request', requestFollowUp, { requestedAt: new Date(0).toISOString() }],
  ['approval', approvalFollowUp, { decidedAt: new Date(0).toISOString() }],
])('whether a %s took effect is unknown once its row is gone', async (_, followUp, after) => {
  const find = followUp({ releases: { read: async () => null } as unknown as Releases })
  const intent = { before: { planId: 'plan' }, after, actor: { username: 'ann' } } as unknown as AuditEntry
  expect(await find(intent, { early: false })).toEqual({ outcome: 'unknown', after: null })
})

/** What `releases` would be with this in place of some of it. */
const releasesWith = (other: Partial<Record<keyof Releases, unknown>>) =>
  ({ ...releases, ...other }) as unknown as Releases

describe('leaves alone', () => {
  it('a release that this process carries out', async () => {
    const running = releasesWith({ isRunning: () => true })
    expect(await withoutRow('kill', 'free', { of: running })).toBeNull()
  })

  it('an act of this process that has not ended, and no longer', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    let [id, end] = ['', () => {}]
    const audit = {
      append: async (event: AuditEntry) => {
        id = event.id
      },
      appendUntilWritten: () => {},
    } as unknown as AuditLog
    const about = {
      act: 'release',
      actor: { kind: 'user', username: 'ann' },
      on: { kind: 'lease', table: 'leases', name: 'x', owner: 'holder' },
    } as unknown as Parameters<typeof audited>[2]
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const acting = audited(audit, new ActWindow(clock), about, async () => {
      await ended
      return { after: null, result: null }
    })
    await Promise.resolve()
    expect(id).not.toBe('')
    expect(await withoutRow('kill', 'free', { id })).toBeNull()
    end()
    await acting
    expect(await withoutRow('kill', 'free', { id })).not.toBeNull()
  })

  it('early, a break whose outcome is kept: the recovery has the time for it', async () => {
    const record = { id: 'plan', mode: 'break', state: 'done', report: { ...noReport, outcome: 'broken' } }
    const kept = releasesWith({ read: async () => record })
    expect(await withoutRow('break', 'broken', { early: true, of: kept })).toBeNull()
    expect(await withoutRow('break', 'broken', { of: kept })).toMatchObject({ outcome: 'broken' })
  })
})

describe('a release whose process died before its intent', () => {
  /** Until its intent was written, and then sent; and its statement was over. */
  const overMs = 2 * actOverAfterIntentMs + forcedSettleMs
  /** The lease is free; the plan was requested, or approved, so long ago. */
  async function stale(
    agesMs: { requested: number; decided?: number },
    other: Partial<ReleaseRecord> = {},
    runs = false,
  ) {
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    const leases = new LeaseProtocol({ store: new MemoryLeaseStore(clock), clock, timer: clock })
    const table = { id: 'leases', mapping: { owner: 'owner' }, leases } as unknown as LeaseTable
    const ago = (ms: number) => clock.now().wallMs - ms
    const record = {
      id: 'plan',
      state: 'acting',
      mode: 'break',
      plan: { lease: { table: 'leases', name: 'x', owner: 'holder' } },
      requestedAtMs: ago(agesMs.requested),
      decidedAtMs: agesMs.decided === undefined ? null : ago(agesMs.decided),
      ...other,
    } as unknown as ReleaseRecord
    const of = releasesWith({ isRunning: () => runs, settle: async (_: string, report: Report) => report })
    const entries = [{ act: 'release', phase: 'intent' }]
    const audit = { follow: async () => {}, page: async () => ({ entries, nextCursor: null }), alarms: [] }
    const services = { releases: of, tables: new Map([['leases', table]]), audit, clock, log }
    return clock.run(staleReport(services as unknown as ReleaseServices, record))
  }

  it('is settled once its act cannot take effect any more', async () => {
    expect(await stale({ requested: overMs })).toMatchObject({ outcome: 'superseded' })
  })

  it('is not settled while another instance may carry it out, counted from the approval', async () => {
    expect(await stale({ requested: overMs - 1 })).toBeNull()
    expect(await stale({ requested: 600_000, decided: overMs - 1 })).toBeNull()
  })

  it('is not settled while this instance carries it out, nor unless it was to be carried out', async () => {
    expect(await stale({ requested: 600_000 }, {}, true)).toBeNull()
    for (const state of ['planned', 'awaiting-approval', 'rejected', 'done'] as const)
      expect(await stale({ requested: 600_000 }, { state })).toBeNull()
  })
})
