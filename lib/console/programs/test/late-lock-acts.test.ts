/** Acts on locks whose answer was lost, by a process that is stopped for ten minutes while it waits for the answer. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore, MemoryTicketStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { AuditEntry, AuditEvent } from '../../../contract/audit.ts'
import type { Session } from '../../../contract/people/session.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { TableTrust } from '../../leases/table-trust.ts'
import { releaseFollowUp } from '../../releases/acts/follow-up.ts'
import { resign } from '../election-handlers.ts'
import { lockFollowUps } from '../lock-follow-up.ts'
import { deleteLock, putLock } from '../lock-handlers.ts'
import { prefixOf } from '../owner-name.ts'

const stoppedMs = 600_000
let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let table: LeaseTable
let written: AuditEvent[]
/** When each write was sent, in milliseconds since the request was permitted. */
let sends: number[]
/** What the recovery of another instance says meanwhile. */
let recovered: unknown

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  store = new MemoryLeaseStore(clock)
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, defaultTtlSeconds: 3_600 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const settings = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 3_600 }
  const tickets = new MemoryTicketStore(clock)
  table = { ...settings, leases, trust: new TableTrust(), tickets } as unknown as LeaseTable
  written = []
  sends = []
  recovered = undefined
})

function servicesOf({ secondPersonFor = [] as string[] } = {}) {
  const append = async (event: AuditEvent) => void written.push(event)
  return {
    clock,
    log,
    requestLog: log,
    tables: new Map([['leases', table]]),
    session: { keyspace: 'leasehold' },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
    config: { adminActions: true, maxClockSkewMs: 500, secondPersonFor, secondPersonAfterMs: 0 },
  } as never
}

const elevatedUntil = '2100-01-01T00:00:00.000Z'
const ann = { username: 'ann', role: 'admin', via: 'password', scope: null, expiresAt: null, elevatedUntil }
const scope = { role: 'client', prefixes: [''], tables: ['leases'] }
const jobs = { ...ann, username: 'jobs', role: 'client', via: 'token', scope, elevatedUntil: null }

const inputOf = (
  session: object,
  { params, owner, body }: { params: object; owner?: string; body?: object },
) =>
  ({
    session: session as Session,
    address: null,
    requestId: 'r',
    window: new ActWindow(clock),
    signal: new AbortController().signal,
    params,
    query: { owner },
    body,
  }) as never

/** From now on the connection is cut at the first write, which is not applied; the others are answered. */
function cutOff(
  kind: 'acquire' | 'renew' | 'release',
  meanwhile: () => Promise<unknown> = async () => undefined,
): void {
  const permittedMs = clock.now().wallMs
  const method = store[kind].bind(store) as (write: unknown) => Promise<never>
  store[kind] = async (write: unknown) => {
    sends.push(clock.now().wallMs - permittedMs)
    if (sends.length > 1) return method(write)
    store.fault = (of) => (of === kind ? { kind: 'lost', applied: false, finality: 'read' } : undefined)
    try {
      return await method(write)
    } finally {
      store.fault = () => undefined
      clock.suspend(stoppedMs)
      recovered = await meanwhile()
    }
  }
}

const intent = (): AuditEntry =>
  ({
    ...written[0],
    id: 'of-another-instance',
    at: new Date(clock.now().wallMs - stoppedMs).toISOString(),
  }) as never
const releaseRecovered = () => {
  const releases = {
    isRunning: () => false,
    read: async () => null,
    settle: async (_id: string, report: unknown) => report,
  }
  const tables = new Map([['leases', table]])
  return releaseFollowUp({ releases: releases as never, tables, clock, log })(intent(), { early: false })
}
const entries = () => written.map(({ act, phase, outcome }) => [act, phase, outcome])

it.each([
  ['a lock', deleteLock, { name: 'job' }],
  ['an election', resign, { group: 'job' }],
])(
  'a person’s kill by DELETE on %s is not sent again, and the recovery’s *not-released* stays true',
  async (_, act, params) => {
    await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
    const input = inputOf(ann, { params, owner: 'holder' })
    cutOff('release', releaseRecovered)
    const answer = clock.run((act as typeof deleteLock)(input, servicesOf()))
    await expect(answer).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(recovered).toMatchObject({ outcome: 'not-released' })
    await clock.advance(120_000)
    expect((await leases.read('job'))?.owner).toBe('holder')
    expect(sends).toEqual([0])
    // The outcome is left to the recovery: it is not known here that nothing was done.
    expect(entries()).toEqual([['release', 'intent', null]])
  },
)

it('a person’s renewal of another’s lease is not sent again, and the recovery’s *not-done* stays true', async () => {
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
  const { version } = (await leases.read('job')) ?? {}
  const body = { owner: 'holder', ttlSeconds: 1_800, renewOnly: true }
  const input = inputOf(ann, { params: { name: 'job' }, body })
  cutOff('renew', async () => {
    const { renewal } = lockFollowUps({ tables: new Map([['leases', table]]), clock, log })
    return renewal?.(intent(), { early: false })
  })
  await expect(clock.run(putLock(input, servicesOf()))).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(recovered).toMatchObject({ outcome: 'not-done' })
  await clock.advance(120_000)
  expect((await leases.read('job'))?.version).toBe(version)
  expect(sends).toEqual([0])
  expect(entries()).toEqual([['renewal', 'intent', null]])
})

it('a renewal that is answered after its TTL may have been made, and the log does not deny it', async () => {
  await clock.run(leases.tryAcquire('job', { owner: 'holder' }))
  const body = { owner: 'holder', ttlSeconds: 30, renewOnly: true }
  const { renew } = store
  store.renew = async (write) => {
    const answer = await renew.call(store, write)
    clock.suspend(stoppedMs)
    return answer
  }
  const answer = clock.run(putLock(inputOf(ann, { params: { name: 'job' }, body }), servicesOf()))
  await expect(answer).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(entries()).toEqual([['renewal', 'intent', null]])
})

it('a person’s acquisition of a name of two people is not sent again', async () => {
  const input = inputOf(ann, { params: { name: 'two/x' }, body: {} })
  cutOff('acquire')
  const answer = clock.run(putLock(input, servicesOf({ secondPersonFor: ['two/'] })))
  await expect(answer).rejects.toMatchObject({ code: 'outcome-unknown' })
  await clock.advance(120_000)
  expect(await leases.read('two/x')).toBeNull()
  expect(sends).toEqual([0])
  expect(entries()).toEqual([['acquire', 'intent', null]])
})

it('a program’s release that the audit log has is not sent again', async () => {
  await clock.run(leases.tryAcquire('two/x', { owner: 'mine' }))
  const input = inputOf(jobs, { params: { name: 'two/x' }, owner: 'mine' })
  cutOff('release', releaseRecovered)
  const answer = clock.run(deleteLock(input, servicesOf({ secondPersonFor: ['two/'] })))
  await expect(answer).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(recovered).toMatchObject({ outcome: 'not-released' })
  expect(sends).toEqual([0])
})

it.each([
  ['a program', jobs, 'mine'],
  ['a person', ann, `${prefixOf('ann')}mine`],
])('%s that releases its own lease sends it again, however late', async (_, session, owner) => {
  await clock.run(leases.tryAcquire('job', { owner }))
  const input = inputOf(session, { params: { name: 'job' }, owner })
  cutOff('release')
  expect(await clock.run(deleteLock(input, servicesOf()))).toMatchObject({ status: 204 })
  expect(sends).toHaveLength(2)
  expect(written).toEqual([])
})
