import {
  LeaseProtocol,
  type LeaseView,
  type ResignRequest,
  StoreRefusedError,
  StoreUnavailableError,
} from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { ReleaseMode } from '../../../contract/releases/release.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { planOf } from '../plans.ts'
import type { ReleaseRecord } from '../release-record.ts'
import type { ReleaseStore } from '../release-store.ts'
import { ForcedRelease } from './forced-release.ts'
import { ReleaseActs } from './release-acts.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let table: LeaseTable
let asked: unknown[]

beforeEach(async () => {
  clock = new FakeClock()
  store = new MemoryLeaseStore(clock)
  asked = []
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100, defaultTtlSeconds: 60 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const resignRequests = {
    ask: async (request: unknown) => {
      asked.push(request)
    },
    of: async () => [],
  }
  const tickets = new MemoryTicketStore(clock)
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60 }
  table = { ...settings, leases, trust: new TableTrust(), resignRequests, tickets }
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
})

async function begin(mode: ReleaseMode) {
  const view = await table.leases.read('job')
  if (view === null) throw new Error('not held')
  const plan = planOf('admin', leaseJson(table, view, clock.now()), clock.now().wallMs)
  return new ForcedRelease(
    table,
    { plan, mode, reason: 'test', username: 'admin' },
    { clock, timer: clock, log, window: new ActWindow(clock) },
  )
}

it('says that the next holder could not be read, and shows no read from before the act', async () => {
  let sent = false
  store.fault = (kind) => {
    if (kind === 'release') sent = true
    return sent && kind === 'read' ? { kind: 'unavailable' } : undefined
  }
  expect(await (await begin('kill')).done).toMatchObject({
    outcome: 'released',
    current: null,
    currentReadAt: null,
  })
})

it('never says that nothing was sent after the delete was, and never sends it again', async () => {
  let deletes = 0
  store.fault = (kind) => {
    if (kind !== 'release') return undefined
    deletes++
    return { kind: 'lost', applied: false, finality: 'never' }
  }
  const { read } = store
  store.read = async (name) => {
    if (deletes > 0) throw new StoreRefusedError('The permission was revoked meanwhile.')
    return read.call(store, name)
  }
  const release = await begin('kill')
  expect(await clock.run(release.done)).toMatchObject({ outcome: 'unknown', currentReadAt: null })
  expect(deletes).toBe(1)
})

it('finds its outcome after an outage that outlasts the pursuit', async () => {
  let sent = false
  store.fault = (kind) => {
    if (kind === 'release') {
      sent = true
      return { kind: 'lost', applied: true, finality: 'never' }
    }
    return sent && kind === 'read' ? { kind: 'unavailable' } : undefined
  }
  const release = await begin('kill')
  const backAfter = clock.sleep(90_000).then(() => {
    expect(release.report).toMatchObject({ outcome: 'pending', finalBy: null })
    store.fault = () => undefined
  })
  await clock.run(Promise.all([release.done, backAfter]))
  expect(release.report).toMatchObject({ outcome: 'superseded' })
})

it('is final 30 s after its send, however long the answer was waited for', async () => {
  const { release: send } = store
  store.release = async (planned) => {
    await clock.sleep(12_000)
    return send.call(store, planned)
  }
  store.fault = (kind) =>
    kind === 'release' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
  const release = await begin('kill')
  await clock.advance(1_000)
  const { finalBy } = release.report
  await clock.advance(19_000)
  expect(release.report).toMatchObject({ outcome: 'pending', finalBy })
  await clock.run(release.done)
  expect(release.report).toMatchObject({ outcome: 'not-released', finalBy: null })
  const lateMs = clock.now().wallMs - Date.parse(finalBy as string)
  expect(lateMs).toBeGreaterThanOrEqual(0)
  expect(lateMs).toBeLessThan(1_000)
})

it.each(['kill', 'break'] as const)(
  'a %s of a holder that another clock’s plain writes keep says in the end that it holds the lease still, or that it is gone',
  async (mode) => {
    const renewed = async () => {
      store.skewMs = () => 2_000
      store.plain.renewOwnerOnly('job', 'holder', 60)
      store.skewMs = () => 0
      return { applied: true } as const
    }
    store.release = renewed
    store.quarantine = renewed
    const release = await begin(mode)
    await clock.advance(1_000)
    expect(release.report).toMatchObject({ outcome: 'pending' })
    expect(await clock.run(release.done)).toMatchObject({ outcome: 'not-released', safeAt: null })
    const next = await begin(mode)
    await clock.advance(1_000)
    store.plain.deleteIfOwner('job', 'holder')
    expect(await clock.run(next.done)).toMatchObject({ outcome: 'superseded', safeAt: null })
  },
)

it.each([
  [null, /the owner as it was: .* Its value is gone$/],
  ['note', /the owner as it was: .* Its value is another one now$/],
  ['v', /the row as it was: .* can change it$/],
])('says what an act without effect on the owner did to the value: %s', async (value, said) => {
  store.plain.setValueOnly('job', 'holder', 'v', 60)
  const { read } = store
  store.release = async () => {
    store.read = async (name) => {
      const answer = await read.call(store, name)
      return { ...answer, cells: answer.cells === null ? null : { ...answer.cells, value } }
    }
    return { applied: true }
  }
  const report = await (await begin('kill')).done
  expect(report).toMatchObject({ outcome: 'not-released', current: { owner: 'holder' } })
  expect(report.steps.at(-1)).toMatchObject({ what: expect.stringMatching(said), ok: false })
})

it('says that nothing was sent when the holder could not be read again', async () => {
  const release = begin('break')
  store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
  expect(await (await release).done).toMatchObject({ outcome: 'not-sent', steps: [{ ok: false }] })
})

it('breaks: the mark names the plan and the person; the report says when it is safe', async () => {
  const report = await clock.run((await begin('break')).done)
  expect(report).toMatchObject({ outcome: 'broken', renewedSincePlan: false })
  const view = await table.leases.read('job')
  expect(view?.owner).toMatch(/^!quarantine:/)
  expect(JSON.parse(view?.value ?? '')).toMatchObject({ quarantine: { was: 'holder', by: 'admin' } })
  expect(report.safeAt).toBe(new Date(view?.expiresAtMs ?? 0).toISOString())
})

it('asks the planned holder, and no other', async () => {
  expect(await (await begin('ask')).done).toMatchObject({ outcome: 'asked' })
  expect(asked).toMatchObject([{ name: 'job', owner: 'holder', requestedBy: 'admin', reason: 'test' }])
  await table.leases.release({ name: 'job', owner: 'holder' })
  await table.leases.tryAcquire('job', { owner: 'another' })
  const read = { level: 'SERIAL', at: '2026-01-01T00:00:00.000Z' } as const
  const plan = planOf('admin', { ...leaseOfHolder, read }, clock.now().wallMs)
  const refused = new ForcedRelease(
    table,
    { plan, mode: 'ask', reason: 'test', username: 'admin' },
    { clock, timer: clock, log, window: new ActWindow(clock) },
  )
  expect(await refused.done).toMatchObject({ outcome: 'holder-changed', current: { owner: 'another' } })
  expect(asked).toHaveLength(1)
})

it('of an ask whose answer was lost, the last step says when a read found the request', async () => {
  let lostAtMs = 0
  table = {
    ...table,
    resignRequests: {
      ask: async (request) => {
        asked.push(request)
        lostAtMs = clock.now().wallMs
        throw new StoreUnavailableError('No answer.', { mayHaveHappened: true })
      },
      of: async () => (clock.now().wallMs - lostAtMs < 1_000 ? [] : (asked as ResignRequest[])),
    },
  }
  const report = await clock.run((await begin('ask')).done)
  expect(report).toMatchObject({ outcome: 'asked' })
  expect(report.steps.at(-1)).toMatchObject({ what: 'Request to resign read: it is written', ok: true })
  expect(Date.parse(report.steps.at(-1)?.at ?? '')).toBeGreaterThanOrEqual(lostAtMs + 1_000)
})

it.each(['ask', 'break'] as const)(
  'a second person who approves carries the %s out in the name of the person who asked',
  async (mode) => {
    const view = (await table.leases.read('job')) as LeaseView
    const plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
    const written: AuditEvent[] = []
    const append = async (event: AuditEvent) => void written.push(event)
    const audit = { append, appendUntilWritten: append } as unknown as AuditLog
    const store = { finish: async () => ({ moved: true }) } as unknown as ReleaseStore
    const acts = new ReleaseActs({ store, audit, clock, timer: clock, log })
    const atMs = clock.now().wallMs
    const asker = { requestedBy: 'ann', requestedAtMs: atMs - 20_000 }
    const approver = { decidedBy: 'deputy', decidedAtMs: atMs, report: null }
    const record = { id: plan.id, plan, mode, reason: 'stuck', ...asker, ...approver }
    const session = { username: 'deputy', role: 'admin', via: 'password' }
    const sender = { session, address: null, requestId: 'r', window: new ActWindow(clock) }
    await clock.run(
      acts.carryOut(table, record as unknown as ReleaseRecord, sender as unknown as PermittedSender),
    )
    await clock.advance(5_000)
    const value = (await table.leases.read('job'))?.value ?? null
    if (mode === 'ask') expect(asked).toMatchObject([{ requestedBy: 'ann', reason: 'stuck' }])
    else expect(JSON.parse(value ?? '')).toMatchObject({ quarantine: { by: 'ann' } })
    expect(written.map(({ actor, before }) => [actor.username, before])).toMatchObject([
      ['deputy', { plannedBy: 'ann' }],
      ['deputy', { plannedBy: 'ann' }],
    ])
  },
)

const leaseOfHolder = {
  table: 'leases',
  name: 'job',
  owner: 'holder',
  value: null,
  state: 'held' as const,
  version: '1',
  writtenAt: null,
  expiresAt: null,
  remainingMs: null,
  valueRemainingMs: null,
  ttlSeconds: 60,
}

it('sends nothing when the process was stopped between intent and act: another process may have written the outcome meanwhile', async () => {
  const { read } = store
  for (const mode of ['kill', 'break', 'ask'] as const) {
    let reads = 0
    store.read = async (name) => {
      // The first one is the plan's.
      if (++reads === 2) await clock.sleep(16_000)
      return read.call(store, name)
    }
    const release = await clock.run(begin(mode))
    expect(await clock.run(release.done), mode).toMatchObject({ outcome: 'not-sent' })
  }
  store.read = read
  expect((await table.leases.read('job'))?.owner).toBe('holder')
  expect(asked).toEqual([])
})
