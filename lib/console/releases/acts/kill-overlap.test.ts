/** A kill says for how long the old holder may go on, also if that holder renewed for longer after the plan. */
import { LeaseProtocol, type Tenure } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Release } from '../../../contract/releases/release.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { type Plan, planOf } from '../plans.ts'
import { noReport, type Report, readRelease, releaseOf } from '../release-record.ts'
import { leaseReleaseOf } from '../rules/lease-release.ts'
import { ForcedRelease } from './forced-release.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let table: LeaseTable
let tenure: Tenure
let plan: Plan

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 30 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60 }
  const resignRequests = { ask: async () => {}, of: async () => [] }
  const tickets = new MemoryTicketStore(clock)
  table = { ...settings, leases, trust: new TableTrust(), resignRequests, tickets }
  const outcome = await clock.run(leases.tryAcquire('job', { owner: 'holder', ttlSeconds: 30 }))
  const view = await leases.read('job')
  if (outcome.kind !== 'acquired' || view === null) throw new Error('not held')
  tenure = outcome.tenure
  plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
})

async function renew(ttlSeconds: number): Promise<void> {
  await clock.advance(10_000)
  expect(await clock.run(leases.renew({ ...tenure, ttlSeconds }))).toMatchObject({ kind: 'renewed' })
  await clock.advance(10_000)
}

async function kill(): Promise<Report> {
  const act = { plan, mode: 'kill' as const, reason: 'test', username: 'ann' }
  const deps = { clock, timer: clock, log, window: new ActWindow(clock) }
  return clock.run(new ForcedRelease(table, act, deps).done)
}

/** The release as any instance reads it, from the row in which the report is kept. */
function keptIn(report: Report | null): Release {
  const row = {
    id: plan.id,
    state: report === null ? 'acting' : 'done',
    plan: JSON.stringify(plan),
    mode: 'kill',
    reason: 'test',
    requested_by: 'ann',
    requested_at: new Date(clock.now().wallMs),
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    report: report === null ? null : JSON.stringify(report),
    attempt: 'a',
    version: 1,
  }
  return releaseOf(readRelease(row).row.record, clock.now().wallMs)
}

/** For how long after the delete the page of the lease says that the old holder may act, in seconds. */
function saidSeconds(report: Report): number {
  const safeAt = leaseReleaseOf(keptIn(report))?.safeAt ?? ''
  return (Date.parse(safeAt) - Date.parse(report.steps.at(-1)?.at ?? '')) / 1_000
}

it('counts the longer TTL for which the holder renewed between the plan and the act', async () => {
  await renew(600)
  const report = await kill()
  expect(report).toMatchObject({ outcome: 'released', renewedSincePlan: true, overlapMs: 602_000 })
  expect(keptIn(report).overlapMs).toBe(602_000)
  expect(saidSeconds(report)).toBe(602)
})

it('counts the plan’s TTL when the holder renewed for a shorter one', async () => {
  await renew(20)
  const report = await kill()
  expect(report.overlapMs).toBe(32_000)
  expect(saidSeconds(report)).toBe(32)
})

it('has no end when the row has no TTL any more', async () => {
  await clock.advance(31_000)
  store.plain.insertForEver('job', 'holder', null)
  const report = await kill()
  expect(report).toMatchObject({ outcome: 'released', overlapMs: null })
  expect(leaseReleaseOf(keptIn(report))?.safeAt).toBeNull()
})

it('counts what the act read when the answer to its delete is lost', async () => {
  await renew(600)
  store.fault = (kind) =>
    kind === 'release' ? { kind: 'lost', applied: true, finality: 'never' } : undefined
  const report = await kill()
  expect(report).toMatchObject({ outcome: 'superseded', overlapMs: 602_000 })
  expect(saidSeconds(report)).toBe(602)
})

it('says no time when nothing was deleted', async () => {
  await clock.advance(31_000)
  await clock.run(leases.tryAcquire('job', { owner: 'another' }))
  const report = await kill()
  expect(report).toMatchObject({ outcome: 'holder-changed', overlapMs: null })
  expect(leaseReleaseOf(keptIn(report))?.safeAt).toBeNull()
})

it('is the plan’s TTL, and the contention of Paxos v1, for an instance that knows no read of the act', () => {
  expect(keptIn(null)).toMatchObject({ outcome: noReport.outcome, overlapMs: 36_000 })
})
