import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../contract/audit.ts'
import type { Lease } from '../../contract/leases/lease.ts'
import { approvalLifetimeSeconds } from '../../contract/releases/release.ts'
import type { PermittedSender } from '../audit/actor.ts'
import type { AuditLog } from '../audit/audit-entry.ts'
import { ActWindow } from '../http/act-window.ts'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { planOf } from './plans.ts'
import { noReport, type ReleaseRecord } from './release-record.ts'
import type { ReleaseStore } from './release-store.ts'
import { Releases } from './releases.ts'
import type { ApprovalServices } from './rules/approval.ts'

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
const senderOf = (username: string) =>
  ({
    session: { username, role: 'admin', via: 'password', elevatedUntil: '2100-01-01T00:00:00.000Z' },
    address: null,
    requestId: 'r',
    window: new ActWindow(clock),
  }) as unknown as PermittedSender

let clock: FakeClock
let written: AuditEvent[]
let releases: Releases
/** The row as other requests left it. */
let row: ReleaseRecord
/** How often the list of what waits was read. */
let listed: number

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  written = []
  listed = 0
  const nowMs = clock.now().wallMs
  row = {
    id: 'plan',
    state: 'planned',
    plan: planOf('ann', lease, nowMs),
    mode: null,
    reason: null,
    version: 1,
    requestedBy: null,
    requestedAtMs: null,
    decidedBy: null,
    decidedAtMs: null,
    decisionReason: null,
    report: null,
    attempt: 'a',
  }
  const store = {
    read: async () => row,
    recent: async () => [row.id],
    awaiting: async () => {
      listed++
      return { records: [row], more: false }
    },
    request: async () => ({ moved: false, record: row }),
    decide: async () => ({ moved: false, record: row }),
  } as unknown as ReleaseStore
  const append = async (event: AuditEvent) => void written.push(event)
  const audit = { append, appendUntilWritten: append } as unknown as AuditLog
  releases = new Releases({ store, audit, clock, log, timer: clock })
})

const phases = () => written.map(({ act, phase, outcome }) => [act, phase, outcome])

it('a request whose plan another request used stands in the audit log as refused', async () => {
  const planned = row
  row = { ...row, state: 'acting' }
  const wish = { mode: 'kill', reason: 'test' } as const
  const asked = releases.act({} as LeaseTable, planned, wish, senderOf('ann'), { secondPerson: true })
  await expect(asked).rejects.toMatchObject({ code: 'plan-used' })
  expect(phases()).toEqual([
    ['release-request', 'intent', null],
    ['release-request', 'outcome', 'refused'],
  ])
})

describe('an approval', () => {
  const account = (username: string) => ({
    username,
    role: 'admin',
    disabled: false,
    subject: null,
    changedAt: null,
    createdAt: new Date(0),
  })
  /** Of a release that ann requested, by ben; `known`: the accounts whose rows count. */
  const approve = (known: string[]) => {
    row = { ...row, state: 'awaiting-approval', mode: 'kill', requestedBy: 'ann' }
    row = { ...row, requestedAtMs: clock.now().wallMs }
    const users = { find: async (name: string) => (known.includes(name) ? account(name) : null) }
    const config = { adminActions: true, maxClockSkewMs: 100, secondPersonFor: [''], secondPersonAfterMs: 1 }
    const services = { users, config, paxosVariant: 'v2' } as unknown as ApprovalServices
    return releases.approve(row, {} as LeaseTable, senderOf('ben'), services)
  }

  it('of a release that another request decided stands in the audit log as refused', async () => {
    await expect(approve(['ann', 'ben'])).rejects.toMatchObject({ code: 'not-awaiting' })
    expect(phases()).toEqual([
      ['approval', 'intent', null],
      ['approval', 'outcome', 'refused'],
    ])
  })

  it('by or for an account whose row does not count is refused, and nothing is written', async () => {
    await expect(approve(['ann'])).rejects.toMatchObject({ code: 'forbidden' })
    await expect(approve(['ben'])).rejects.toMatchObject({ code: 'forbidden' })
    expect(written).toEqual([])
  })
})

it('a release that lapsed by this clock, and was approved on another instance, is shown as it ended', async () => {
  const nowMs = clock.now().wallMs
  row = { ...row, state: 'awaiting-approval', mode: 'kill', requestedBy: 'ann', requestedAtMs: nowMs }
  await clock.advance(approvalLifetimeSeconds * 1000)
  const outcomes = async () => (await releases.onLease('leases', 'job')).map(({ outcome }) => outcome)
  const lapsed = await outcomes()
  row = { ...row, state: 'done', decidedBy: 'ben', decidedAtMs: nowMs }
  row = { ...row, report: { ...noReport, outcome: 'released' } }
  expect([lapsed, await outcomes()]).not.toEqual([lapsed, lapsed])
  expect(await outcomes()).toEqual(['released'])
})

it('the list of what waits is read once for all who look, and again after each move of this instance', async () => {
  const waiting = async () => (await releases.awaiting()).releases.length
  expect(await Promise.all([waiting(), waiting(), waiting()])).toEqual([0, 0, 0])
  expect(listed).toBe(1)
  const planned = row
  row = { ...row, state: 'awaiting-approval', mode: 'kill', requestedBy: 'ann' }
  row = { ...row, requestedAtMs: clock.now().wallMs }
  const wish = { mode: 'kill', reason: 'test' } as const
  const asked = releases.act({} as LeaseTable, planned, wish, senderOf('ann'), { secondPerson: true })
  await expect(asked).rejects.toMatchObject({ code: 'plan-used' })
  expect([await waiting(), listed]).toEqual([1, 2])
  const waits = row
  row = { ...row, state: 'rejected' }
  await expect(releases.reject(waits, 'no', senderOf('ben'))).rejects.toMatchObject({ code: 'not-awaiting' })
  expect([await waiting(), listed]).toEqual([0, 3])
  const refused = { act: 'rejection', outcome: 'refused', after: { problem: 'not-awaiting' } }
  expect(written.at(-1)).toMatchObject(refused)
})
