import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import type { Lease } from '../../../contract/leases/lease.ts'
import type { Sender } from '../../audit/actor.ts'
import type { AuditLog } from '../../audit/audit-entry.ts'
import { actsShare } from '../../audit/refusals/act-limit.ts'
import { log } from '../../http/log/log.ts'
import { planOf } from '../plans.ts'
import type { ReleaseStore } from '../release-store.ts'
import { Releases } from '../releases.ts'

it('one person makes 600 plans in ten minutes, and no more of them reach the audit log', async () => {
  const clock = new FakeClock()
  const written: AuditEvent[] = []
  const plans: unknown[] = []
  const audit = { append: async (event: AuditEvent) => void written.push(event) } as unknown as AuditLog
  const store = { insert: async (plan: unknown) => void plans.push(plan) } as unknown as ReleaseStore
  const releases = new Releases({ store, audit, clock, log, timer: clock })
  const lease = { table: 'leases', name: 'job', owner: 'holder', value: null } as Lease
  const plan = (username: string) => {
    const session = { username, role: 'operator', via: 'password' }
    const sender = { session, address: null, requestId: 'r' } as unknown as Sender
    return releases.keep(planOf(username, lease, clock.now().wallMs), sender)
  }
  for (let n = 0; n < actsShare.perKey; n++) await plan('ann')
  await clock.advance(60_000)
  await expect(plan('ann')).rejects.toMatchObject({
    code: 'too-many-requests',
    headers: { 'Retry-After': '540' },
  })
  expect([plans.length, written.length]).toEqual([600, 600])
  await plan('bea')
  await clock.advance(540_000)
  await plan('ann')
  expect(written).toHaveLength(602)
})
