/** Another client wrote the row of a plan once more, with a timestamp in the future: moves are applied, and have no effect. */
import { randomBytes } from 'node:crypto'
import type { CassandraSession, Statement } from 'leasehold/cassandra'
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { RowSeal } from '../../store/row-seal.ts'
import { RowVersions } from '../../store/row-versions.ts'
import { SealedRows } from '../../store/sealed-rows.ts'
import { type Plan, planOf } from '../plans.ts'
import { noReport, type ReleaseRecord } from '../release-record.ts'
import { sealedColumns } from '../release-statements.ts'
import { ReleaseStore } from '../release-store.ts'
import { Releases } from '../releases.ts'
import type { ApprovalServices } from '../rules/approval.ts'

const set = [...sealedColumns.filter((column) => column !== 'id' && column !== 'plan'), 'version', 'seal']

let clock: FakeClock
let written: AuditEvent[]
let plan: Plan
let table: LeaseTable
let store: ReleaseStore
let releases: Releases
/** The columns that have a timestamp in the future. */
let dated: readonly string[]

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  written = []
  dated = []
  const context = { store: new MemoryLeaseStore(clock), clock, timer: clock, defaultTtlSeconds: 600 }
  const leases = new LeaseProtocol(context)
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 600, leases } as unknown as LeaseTable
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
  const view = await leases.read('job')
  if (view === null) throw new Error('not held')
  plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
  const nowMs = () => clock.now().wallMs
  const versions = new RowVersions(nowMs)
  const rows = new SealedRows({ seal: new RowSeal(randomBytes(32)), versions, nowMs, report: () => {} })
  store = new ReleaseStore({ session: sessionOfOne(), rows, timer: clock })
  await store.insert(plan)
  const append = async (event: AuditEvent) => {
    written.push(event)
    for (const row of event.rows ?? []) versions.note(row)
  }
  const openIntents = async () => written.filter(({ phase }) => phase === 'intent')
  const audit = { append, appendUntilWritten: append, openIntents } as unknown as AuditLog
  releases = new Releases({ store, audit, clock, log, timer: clock })
})

/** One row of `releases`. A conditional write is applied by the row as it is; dated columns stay. */
function sessionOfOne(): CassandraSession {
  let row: Record<string, unknown> = {}
  const answer = (...rows: object[]) => ({ rows, coordinator: '' })
  const execute = async ({ cql }: Statement, values: unknown[]) => {
    if (cql.startsWith('SELECT')) return answer(row)
    if (cql.startsWith('INSERT') && cql.includes('.releases ')) {
      const [id, state, text, attempt, version, seal] = values
      const empty = Object.fromEntries(sealedColumns.map((column) => [column, null]))
      row = { ...empty, id, state, plan: text, attempt, version, seal }
    }
    if (!cql.startsWith('UPDATE')) return answer({ '[applied]': true })
    const [state, version] = values.slice(-2)
    const applied = row.state === state && row.version === version
    const changed = set.map((column, i) => [
      column,
      dated.includes(column) ? row[column] : (values[i] ?? null),
    ])
    if (applied) row = { ...row, ...Object.fromEntries(changed) }
    return answer({ '[applied]': applied })
  }
  return { keyspace: 'k', serial: 'SERIAL', execute } as unknown as CassandraSession
}

const senderOf = (username: string) =>
  ({
    session: { username, role: 'admin', via: 'password', elevatedUntil: '2100-01-01T00:00:00.000Z' },
    address: null,
    requestId: 'r',
    window: new ActWindow(clock),
  }) as unknown as PermittedSender
const account = { role: 'admin', disabled: false, subject: null, changedAt: null, createdAt: new Date(0) }
const services = {
  users: { find: async (username: string) => ({ ...account, username }) },
  config: { adminActions: true, maxClockSkewMs: 100, secondPersonFor: [''], secondPersonAfterMs: 1 },
  paxosVariant: 'v2',
} as unknown as ApprovalServices

const found = async () => (await store.read(plan.id)) as ReleaseRecord
const wish = { mode: 'kill', reason: 'test' } as const
const act = async (secondPerson: boolean) =>
  clock.run(releases.act(table, await found(), wish, senderOf('ann'), { secondPerson }))
const holder = async () => (await table.leases.read('job'))?.owner
const ends = () => written.map(({ act, phase, outcome }) => [act, phase, outcome])
const noEffect = { code: 'no-effect', message: expect.stringContaining('Nothing was released') }
const named = (version: number) => [{ table: 'releases', key: plan.id, version, untilMs: expect.any(Number) }]

const decisions = {
  approval: (record: ReleaseRecord) => releases.approve(record, table, senderOf('bob'), services),
  rejection: (record: ReleaseRecord) => releases.reject(record, 'no', senderOf('bob')),
}

it.each([
  ['approval', 'its row is', set],
  ['rejection', 'its row is', set],
  // The other columns change, so that the seal is wrong.
  ['approval', 'its state is', ['state']],
  ['rejection', 'two columns are', ['attempt', 'version']],
] as const)(
  'the %s of a release is none where %s dated ahead, and the release waits no more',
  async (kind, _, columns) => {
    await act(true)
    const waiting = await found()
    written = []
    dated = columns
    await expect(clock.run(decisions[kind](waiting))).rejects.toMatchObject(noEffect)
    expect(await holder()).toBe('holder')
    expect(ends()).toEqual([
      [kind, 'intent', null],
      [kind, 'outcome', 'no-effect'],
    ])
    expect(written.at(-1)?.rows).toEqual(named(waiting.version + 1))
    expect([await store.read(plan.id), releases.isRunning(plan.id)]).toEqual([null, false])
  },
)

it('a request for a second person without effect is said to have none', async () => {
  dated = set
  await expect(act(true)).rejects.toMatchObject(noEffect)
  expect(ends()).toEqual([
    ['release-request', 'intent', null],
    ['release-request', 'outcome', 'no-effect'],
  ])
  expect(written.at(-1)?.rows).toEqual(named(2))
})

it('a plan of one person that could not be used up releases nothing', async () => {
  dated = set
  await expect(act(false)).rejects.toMatchObject(noEffect)
  expect([await holder(), ends(), releases.isRunning(plan.id)]).toEqual(['holder', [], false])
})

it('an outcome that the row does not take stands in the audit log', async () => {
  await store.request(plan, 'acting', { ...wish, by: 'ann', atMs: clock.now().wallMs })
  dated = set
  const report = { ...noReport, outcome: 'released' } as const
  expect(await store.finish(plan.id, report)).toEqual({ moved: false, record: null })
  expect(await releases.settle(plan.id, report)).toEqual(report)
})

it('an act whose row is dated ahead while it is under way ends, and the audit log has its outcome', async () => {
  const { leases } = table
  const read = leases.read.bind(leases)
  leases.read = async (...asked) => {
    dated = set
    return read(...asked)
  }
  await act(false)
  await clock.advance(60_000)
  dated = []
  expect(ends()).toEqual([
    ['release', 'intent', null],
    ['release', 'outcome', 'released'],
  ])
  expect([releases.isRunning(plan.id), releases.pending]).toEqual([false, []])
})
