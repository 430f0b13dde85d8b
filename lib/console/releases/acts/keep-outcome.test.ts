import { LeaseProtocol, StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import { leaseJson } from '../../leases/lease-json.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { type Plan, planOf } from '../plans.ts'
import type { ReleaseRecord } from '../release-record.ts'
import type { ReleaseStore } from '../release-store.ts'
import { Releases } from '../releases.ts'

const session = { username: 'ann', role: 'admin', via: 'password' }
let clock: FakeClock
let written: AuditEvent[]
let finishes: number
let table: LeaseTable
/** What the store answers when an outcome is to be kept. */
let answer: () => Error | null
/** Whether another client has deleted the row of the plan; and what the audit log says is open then. */
let isGone: boolean
let openIntents: string[]

beforeEach(async () => {
  clock = new FakeClock()
  written = []
  finishes = 0
  isGone = false
  openIntents = []
  const leases = new LeaseProtocol({
    store: new MemoryLeaseStore(clock),
    clock,
    timer: clock,
    defaultTtlSeconds: 600,
  })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 600, leases } as unknown as LeaseTable
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
})

/** One kill, as a person carries it out. */
async function kill() {
  const view = await table.leases.read('job')
  if (view === null) throw new Error('not held')
  const plan: Plan = planOf('ann', leaseJson(table, view, clock.now()), clock.now().wallMs)
  const record = {
    id: plan.id,
    state: 'acting',
    plan,
    mode: 'kill',
    reason: 'test',
    requestedBy: 'ann',
    version: 2,
    requestedAtMs: clock.now().wallMs,
    decidedBy: null,
    decidedAtMs: null,
    report: null,
    attempt: 'a',
  } as unknown as ReleaseRecord
  const store = {
    request: async () => ({ moved: true, record }),
    read: async () => record,
    finish: async () => {
      finishes += 1
      const error = answer()
      if (error !== null) throw error
      return isGone ? { moved: false, record: null } : { moved: true, record }
    },
  } as unknown as ReleaseStore
  const append = async (event: AuditEvent) => void written.push(event)
  const open = async () => openIntents.map((id) => ({ id: id === 'the act' ? plan.id : id }))
  const audit = { append, appendUntilWritten: append, openIntents: open } as unknown as AuditLog
  const releases = new Releases({ store, audit, clock, log, timer: clock })
  const wish = { mode: 'kill', reason: 'test' } as const
  const window = new ActWindow(clock)
  const sender = { session, address: null, requestId: 'r', window } as unknown as PermittedSender
  const planned = { ...record, state: 'planned' } as ReleaseRecord
  await clock.run(releases.act(table, planned, wish, sender, { secondPerson: false }))
  return { releases, id: plan.id }
}
const outcomes = () => written.filter(({ phase }) => phase === 'outcome').map(({ outcome }) => outcome)

it('a store that refuses is asked a bounded number of times; the outcome is in the audit log all the same', async () => {
  answer = () => new StoreRefusedError('The permission was revoked meanwhile.')
  const { releases, id } = await kill()
  for (let second = 0; second < 600; second++) await clock.advance(1_000)
  expect(finishes).toBe(10)
  expect(outcomes()).toEqual(['released'])
  expect([releases.isRunning(id), releases.pending]).toEqual([false, []])
})

it('an outage may be as long as it likes', async () => {
  answer = () => new StoreUnavailableError('No node of Cassandra can be reached.')
  const { releases } = await kill()
  for (let second = 0; second < 600; second++) await clock.advance(1_000)
  expect(releases.pending).toHaveLength(1)
  answer = () => null
  await clock.advance(5_000)
  expect(outcomes()).toEqual(['released'])
})

it.each([
  [['the act'], ['released']],
  [['another act'], []],
])('where the row is gone, and %j is open, the outcomes %j are written', async (open, expected) => {
  answer = () => null
  isGone = true
  openIntents = open
  await kill()
  await clock.advance(5_000)
  expect(outcomes()).toEqual(expected)
})
