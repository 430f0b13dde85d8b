/** A forced release whose decision grew old after its request was permitted. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { ReleaseMode } from '../../../contract/releases/release.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { isUnderWay } from '../../audit/audited.ts'
import { ActWindow, actAfterPermitMs } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { planOf } from '../plans.ts'
import { approveRelease, rejectRelease, release } from '../release-handlers.ts'
import type { ReleaseRecord, Report } from '../release-record.ts'
import type { ReleaseServices } from '../release-services.ts'
import type { ReleaseStore } from '../release-store.ts'
import { Releases } from '../releases.ts'
import { ForcedRelease } from './forced-release.ts'

let clock: FakeClock
let leaseStore: MemoryLeaseStore
let table: LeaseTable
let written: AuditEvent[]
let kept: Report[]
/** What happens while the handler follows the audit log, before it reads the plan. */
let beforeRead: () => unknown
/** What happens while an intent is written. */
let meanwhile: (act: AuditEvent['act']) => unknown
let record: ReleaseRecord
let releases: Releases

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  leaseStore = new MemoryLeaseStore(clock)
  written = []
  kept = []
  beforeRead = () => {}
  meanwhile = () => {}
  const leases = new LeaseProtocol({ store: leaseStore, clock, timer: clock, defaultTtlSeconds: 600 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const resignRequests = { ask: async () => {}, of: async () => [] }
  const tickets = new MemoryTicketStore(clock)
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 600 }
  table = { ...settings, leases, trust: new TableTrust(), resignRequests, tickets }
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
  const view = await leases.read('job')
  if (view === null) throw new Error('not held')
  const plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
  record = {
    id: plan.id,
    state: 'planned',
    plan,
    mode: null,
    reason: null,
    requestedBy: null,
    version: 1,
    requestedAtMs: null,
    decidedBy: null,
    decidedAtMs: null,
    decisionReason: null,
    report: null,
    attempt: 'a',
  }
  const store = {
    read: async () => record,
    request: async (_plan: unknown, state: 'acting', { by, atMs, mode, reason }: Request) => {
      record = { ...record, state, mode, reason, requestedBy: by, requestedAtMs: atMs }
      return { moved: true, record }
    },
    decide: async (_record: unknown, state: 'acting' | 'rejected') => {
      record = { ...record, state }
      return { moved: true, record }
    },
    finish: async (_id: string, report: Report) => {
      kept.push(report)
      return { moved: true, record }
    },
  } as unknown as ReleaseStore
  const append = async (event: AuditEvent) => {
    written.push(event)
    if (event.phase === 'intent') await meanwhile(event.act)
  }
  const audit = {
    append,
    appendUntilWritten: append,
    follow: async () => beforeRead(),
  } as unknown as AuditLog
  releases = new Releases({ store, audit, clock, log, timer: clock })
})

interface Request {
  by: string
  atMs: number
  mode: ReleaseMode
  reason: string
}
const senderOf = (username: string) =>
  ({
    session: { username, role: 'admin', via: 'password', elevatedUntil: '2100-01-01T00:00:00.000Z' },
    address: null,
    requestId: 'r',
    window: new ActWindow(clock),
  }) as unknown as PermittedSender
const act = (mode: ReleaseMode) =>
  releases.act(table, record, { mode, reason: 'test' }, senderOf('ann'), { secondPerson: false })
const services = (secondPersonFor = ['']) => {
  const account = { role: 'admin', disabled: false, subject: null, changedAt: null, createdAt: new Date(0) }
  const users = { find: async (username: string) => ({ ...account, username }) }
  const config = { adminActions: true, maxClockSkewMs: 100, secondPersonFor, secondPersonAfterMs: 1 }
  const tables = new Map([['leases', table]])
  return {
    users,
    config,
    tables,
    releases,
    clock,
    log,
    paxosVariant: 'v2',
    session: { keyspace: 'k' },
  } as unknown as ReleaseServices
}
const owner = async () => (await table.leases.read('job'))?.owner
const entries = () => written.map(({ act, phase, outcome }) => [act, phase, outcome])

describe.each([
  ['by both clocks: the process was stopped', (ms: number) => clock.advance(ms)],
  ['by the wall clock alone: the machine was suspended', async (ms: number) => clock.suspend(ms)],
])('an act that is late %s', (_how, pass) => {
  it.each(['break', 'kill', 'ask'] as const)('a %s is not sent, and the log says so', async (mode) => {
    meanwhile = () => pass(actAfterPermitMs + 1)
    await expect(clock.run(act(mode))).rejects.toMatchObject({ code: 'too-late' })
    await clock.advance(60_000)
    expect(await owner()).toBe('holder')
    expect(entries()).toEqual([
      ['release', 'intent', null],
      ['release', 'outcome', 'not-sent'],
    ])
    expect(kept).toMatchObject([{ outcome: 'not-sent' }])
    expect(releases.isRunning(record.id)).toBe(false)
  })

  it.each(['break', 'kill'] as const)('a %s is sent in time', async (mode) => {
    meanwhile = () => pass(actAfterPermitMs - 1_000)
    await clock.run(act(mode))
    await clock.advance(60_000)
    expect(kept).toMatchObject([{ outcome: mode === 'kill' ? 'released' : 'broken' }])
  })

  it('what a second person approved counts from the approval', async () => {
    record = { ...record, state: 'awaiting-approval', mode: 'kill', reason: 'test', requestedBy: 'ann' }
    record = { ...record, requestedAtMs: clock.now().wallMs }
    await clock.advance(120_000)
    // Not too much for either intent.
    meanwhile = () => pass(actAfterPermitMs / 2 + 1)
    const approved = releases.approve(record, table, senderOf('ben'), services())
    await expect(clock.run(approved)).rejects.toMatchObject({ code: 'too-late' })
    await clock.advance(60_000)
    expect(await owner()).toBe('holder')
    expect(entries().slice(1)).toEqual([
      ['approval', 'outcome', 'ok'],
      ['release', 'intent', null],
      ['release', 'outcome', 'not-sent'],
    ])
  })

  it('a rejection does not move the plan', async () => {
    record = { ...record, state: 'awaiting-approval', mode: 'kill', reason: 'test', requestedBy: 'ann' }
    record = { ...record, requestedAtMs: clock.now().wallMs }
    const isLeftAlone: boolean[] = []
    meanwhile = () => {
      isLeftAlone.push(isUnderWay(written[0]?.id ?? ''))
      return pass(actAfterPermitMs + 1)
    }
    const rejected = releases.reject(record, 'no', senderOf('ben'))
    await expect(clock.run(rejected)).rejects.toMatchObject({ code: 'too-late' })
    expect(record.state).toBe('awaiting-approval')
    expect(entries().at(-1)).toEqual(['rejection', 'outcome', 'too-late'])
    expect([written.at(-1)?.after, isLeftAlone]).toEqual([{ problem: 'too-late' }, [true]])
  })
})

describe('a request whose process is stopped between its permission and the plan’s row', () => {
  const input = (username: string, body: object = {}) =>
    ({ ...senderOf(username), params: { id: record.id, name: 'job' }, query: {}, body }) as never
  const askedBy = (requestedBy: string | null) =>
    ({ mode: 'kill', reason: 'test', requestedBy, requestedAtMs: clock.now().wallMs }) as const
  beforeEach(() => {
    beforeRead = () => clock.suspend(actAfterPermitMs + 1)
  })

  it('kills nothing as an approval', async () => {
    record = { ...record, ...askedBy('ann'), state: 'awaiting-approval' }
    const answer = clock.run(approveRelease(input('ben'), services()))
    await expect(answer).rejects.toMatchObject({ code: 'too-late' })
    await clock.advance(60_000)
    expect([await owner(), record.state]).toEqual(['holder', 'awaiting-approval'])
  })

  it('kills nothing as a release', async () => {
    const body = { plan: record.id, mode: 'kill', reason: 'test', confirmName: 'job' }
    const answer = clock.run(release(input('ann', body), services([])))
    await expect(answer).rejects.toMatchObject({ code: 'too-late' })
    await clock.advance(60_000)
    expect(await owner()).toBe('holder')
  })

  it('rejects nothing', async () => {
    record = { ...record, ...askedBy('ann'), state: 'awaiting-approval' }
    const answer = clock.run(rejectRelease(input('ben', { reason: 'no' }), services()))
    await expect(answer).rejects.toMatchObject({ code: 'too-late' })
    expect(record.state).toBe('awaiting-approval')
  })
})

it('a plan that was used says so in the same words, to its person after its time, and to another one', async () => {
  const requested = {
    mode: 'kill',
    reason: 'test',
    requestedBy: 'ann',
    requestedAtMs: clock.now().wallMs,
  } as const
  record = { ...record, ...requested, state: 'rejected', decidedBy: 'ben', decidedAtMs: clock.now().wallMs }
  const used = 'ann used this plan at 03:00:00 UTC (kill): rejected by ben. Nothing was done again.'
  const body = { plan: record.id, mode: 'kill', reason: 'test', confirmName: 'job' }
  const asked = (username: string) =>
    release({ ...senderOf(username), params: { name: 'job' }, query: {}, body } as never, services([]))
  await expect(asked('ben')).rejects.toMatchObject({
    code: 'plan-used',
    message: `ann made this plan. Make your own. ${used}`,
  })
  await clock.advance(120_000)
  await expect(asked('ann')).rejects.toMatchObject({ code: 'plan-used', message: used })
})

it.each(['break', 'kill'] as const)(
  'a %s whose time ends while the holder is read again is not sent',
  async (mode) => {
    const window = new ActWindow(clock)
    clock.suspend(actAfterPermitMs - 1_000)
    const { read } = leaseStore
    leaseStore.read = async (name) => {
      await clock.sleep(2_000)
      return read.call(leaseStore, name)
    }
    const wish = { plan: record.plan, mode, reason: 'test', username: 'ann' }
    const release = new ForcedRelease(table, wish, { clock, timer: clock, log, window })
    expect(await clock.run(release.done)).toMatchObject({
      outcome: 'not-sent',
      steps: [{ ok: true }, { ok: false, what: expect.stringMatching(/^Nothing was done: .* 31 s ago/) }],
    })
    expect(await clock.run(owner())).toBe('holder')
  },
)
