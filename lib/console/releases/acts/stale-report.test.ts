/** A release whose process has ended: whether it was sent, by what the audit log has of it. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditAlarm, AuditEntry } from '../../../contract/audit.ts'
import { AuditDamagedError } from '../../audit/chain/end/chain-alarm.ts'
import { iso } from '../../http/instant.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { ReleaseRecord } from '../release-record.ts'
import type { ReleaseServices } from '../release-services.ts'
import { staleReport } from './follow-up.ts'

/** Of a plan that was used up five minutes ago, by a process that has ended; `entries`: what the audit log has of it, newest first. */
async function stale(
  now: 'held' | 'free',
  entries: readonly Pick<AuditEntry, 'act' | 'phase'>[],
  { alarms = [] as unknown[], follow = async () => {} } = {},
) {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  const leases = new LeaseProtocol({ store: new MemoryLeaseStore(clock), clock, timer: clock })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, leases } as unknown as LeaseTable
  if (now === 'held') await clock.run(leases.tryAcquire('x', { owner: 'holder', ttlSeconds: 600 }))
  const requestedAtMs = clock.now().wallMs
  await clock.advance(300_000)
  const record = {
    id: 'plan',
    state: 'acting',
    mode: 'kill',
    requestedAtMs,
    decidedAtMs: null,
    plan: { lease: { table: 'leases', name: 'x', owner: 'holder', ttlSeconds: 600 } },
  } as unknown as ReleaseRecord
  // One entry a page: an audit page looks at a bounded number of rows.
  const page = async ({ id, cursor = '0', from = '', to = '' }: Record<string, string>) => {
    expect([id, from < iso(requestedAtMs), to > iso(requestedAtMs)]).toEqual(['plan', true, true])
    const next = Number(cursor) + 1
    return { entries: entries.slice(next - 1, next), nextCursor: next < entries.length ? String(next) : null }
  }
  const settle = async (_id: string, report: unknown) => report
  const services = {
    releases: { isRunning: () => false, settle },
    tables: new Map([['leases', table]]),
    audit: { follow, page, alarms },
    clock,
    log,
  } as unknown as ReleaseServices
  return clock.run(staleReport(services, record))
}
const plan = { act: 'release-plan', phase: 'event' } as const
const intent = { act: 'release', phase: 'intent' } as const

it.each(['held', 'free'] as const)(
  'a release without an intent was judged by the lease (%s), though nothing was sent',
  async (now) => {
    expect(await stale(now, [plan])).toMatchObject({ outcome: 'not-sent', overlapMs: null, safeAt: null })
  },
)

it('a release with an intent is judged by the lease', async () => {
  expect(await stale('free', [intent, plan])).toMatchObject({ outcome: 'superseded' })
  const outcome = { act: 'release', phase: 'outcome' } as const
  expect(await stale('free', [{ act: 'approval', phase: 'outcome' }, outcome, plan])).toMatchObject({
    outcome: 'superseded',
  })
})

it('a log that was changed past the console does not prove that nothing was sent', async () => {
  expect(await stale('free', [plan], { alarms: [{ kind: 'missing' }] })).toMatchObject({
    outcome: 'superseded',
  })
  const follow = async () => {
    throw new AuditDamagedError({ detail: 'A test.' } as AuditAlarm)
  }
  expect(await stale('free', [plan], { follow })).toMatchObject({ outcome: 'superseded' })
})
