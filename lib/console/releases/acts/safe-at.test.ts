/** Until when the old holder of a kill may act, while what became of the delete is not known, and after. */
import { LeaseProtocol, StoreRefusedError, StoreUnavailableError, type Tenure } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { untilDeadlineMs } from 'leasehold/time'
import { beforeEach, expect, it } from 'vitest'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { planOf } from '../plans.ts'
import { type ReleaseRecord, type Report, releaseOf } from '../release-record.ts'
import { leaseReleaseOf } from '../rules/lease-release.ts'
import { ForcedRelease } from './forced-release.ts'

const startMs = Date.UTC(2026, 0, 2, 3)
let clock: FakeClock
let store: MemoryLeaseStore
let holder: LeaseProtocol
let tenure: Tenure
let record: ReleaseRecord
let table: LeaseTable

beforeEach(async () => {
  clock = new FakeClock(startMs)
  store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, defaultTtlSeconds: 60 })
  holder = new LeaseProtocol({ store, clock, timer: clock, defaultTtlSeconds: 60 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const resignRequests = { ask: async () => {}, of: async () => [] }
  const tickets = new MemoryTicketStore(clock)
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60 }
  table = { ...settings, leases, trust: new TableTrust(), resignRequests, tickets }
  const outcome = await clock.run(holder.tryAcquire('job', { owner: 'old' }))
  const view = await leases.read('job')
  if (outcome.kind !== 'acquired' || view === null) throw new Error('not held')
  tenure = outcome.tenure
  const plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
  const requested = { mode: 'kill' as const, reason: 'test', requestedBy: 'ann', requestedAtMs: startMs }
  const decided = { decidedBy: null, decidedAtMs: null, decisionReason: null }
  record = {
    id: plan.id,
    state: 'acting',
    plan,
    ...requested,
    ...decided,
    report: null,
    attempt: 'a',
    version: 1,
  }
})

/** Carries the kill out, by a console that reads through `read`. */
function kill(read: (name: string) => ReturnType<MemoryLeaseStore['read']>): ForcedRelease {
  const seen: MemoryLeaseStore = Object.create(store)
  seen.read = read
  seen.release = store.release.bind(store)
  const leases = new LeaseProtocol({ store: seen, clock, timer: clock, defaultTtlSeconds: 60 })
  const act = { plan: record.plan, mode: 'kill' as const, reason: 'test', username: 'ann' }
  const deps = { clock, timer: clock, log, window: new ActWindow(clock) }
  return new ForcedRelease({ ...table, leases }, act, deps)
}

/** When the console says that the old holder has stopped, and until when the holder acts, in seconds from the request. */
const safeAt = (report?: Report) =>
  (Date.parse(leaseReleaseOf(releaseOf(record, clock.now().wallMs, report))?.safeAt ?? '') - startMs) / 1_000
const toSecond = (second: number) => clock.advance(startMs + second * 1_000 - clock.now().wallMs)
async function renewal(): Promise<number> {
  const outcome = await clock.run(holder.renew(tenure))
  if (outcome.kind !== 'renewed') throw new Error(outcome.kind)
  const now = clock.now()
  return (now.wallMs + untilDeadlineMs(outcome.tenure.deadline, now) - startMs) / 1_000
}

it('a kill without an answer may take effect until it is final, and the holder renew until then', async () => {
  store.fault = (kind) => (kind === 'release' ? { kind: 'late', afterMs: 24_000 } : undefined)
  let sent = false
  let isCut = true
  const { release: send } = store
  store.release = (write) => {
    sent = true
    return send.call(store, write)
  }
  const release = kill(async (name) => {
    if (sent && isCut) throw new StoreUnavailableError('cut off')
    return store.read(name)
  })
  await toSecond(23)
  const actsUntil = await renewal()
  expect(actsUntil).toBeGreaterThan(81)
  await toSecond(26)
  expect((await store.read('job')).cells).toBeNull()
  expect(release.report).toMatchObject({ outcome: 'pending', finalBy: expect.any(String) })
  expect(safeAt(release.report)).toBe(92)
  await toSecond(33)
  expect(release.report).toMatchObject({ outcome: 'pending', finalBy: null })
  expect(safeAt(release.report)).toBeGreaterThanOrEqual(actsUntil)
  isCut = false
  await clock.run(release.done)
  expect(release.report.outcome).toBe('superseded')
  expect(safeAt(release.report)).toBeGreaterThanOrEqual(actsUntil)
})

it('nor has it ended before a read showed so, however early the search for the outcome began', async () => {
  store.fault = (kind) => (kind === 'release' ? { kind: 'late', afterMs: 24_000 } : undefined)
  let reads = 0
  const release = kill(async (name) => {
    reads += 1
    if (reads === 2) throw new StoreRefusedError('The permission was revoked for a moment.')
    return store.read(name)
  })
  await toSecond(23)
  const actsUntil = await renewal()
  await clock.run(release.done)
  expect(release.report.outcome).toBe('superseded')
  expect(safeAt(release.report)).toBeGreaterThanOrEqual(actsUntil)
})

it('of a kill that stays unknown', async () => {
  store.fault = (kind) => (kind === 'release' ? { kind: 'late', afterMs: 24_000 } : undefined)
  let reads = 0
  const release = kill(async (name) => {
    reads += 1
    if (reads > 1) throw new StoreRefusedError('The permission was revoked.')
    return store.read(name)
  })
  await clock.run(release.done)
  expect(release.report.outcome).toBe('unknown')
  await toSecond(23)
  expect(safeAt(release.report)).toBeGreaterThanOrEqual(await renewal())
})

it('another instance, which knows no step, counts from the latest send', async () => {
  // 30 s until the send, 30 s until the delete takes effect, the TTL, and 6 s for the write that was read.
  expect(safeAt()).toBe(126)
  record = { ...record, decidedBy: 'bob', decidedAtMs: startMs + 300_000 }
  expect(safeAt()).toBe(426)
})
