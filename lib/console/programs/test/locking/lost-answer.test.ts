/**
 * The answer to an acquisition is lost, and the row has the owner that the request names. That proves the acquisition of a
 * program. A person may have named the owner of a program, which acquired the lease meanwhile: to renew it is a kill.
 */
import { LeaseProtocol, StatementUnknownError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it, vi } from 'vitest'
import type { AuditEvent } from '../../../../contract/audit.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { ActWindow } from '../../../http/act-window.ts'
import { acquireOrRenew } from '../../locking.ts'
import { ownerFor } from '../../own-lease.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const ann = {
  username: 'ann',
  role: 'operator',
  via: 'password',
  elevatedUntil: new Date(nowMs + 600_000).toISOString(),
  scope: null,
} as unknown as Session
const program = {
  ...ann,
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  scope: { role: 'client', prefixes: [''], tables: ['*'] },
} as Session

/** Acquires for `owner`, whose row comes while the answer is lost. */
function acquired(session: Session, owner: string) {
  const clock = new FakeClock(nowMs)
  const store = new MemoryLeaseStore(clock)
  const renewals = vi.spyOn(store, 'renew')
  store.acquire = async () => {
    store.plain.insertIfNotExists('job', owner, null, 30)
    throw new StatementUnknownError('by order of the test', 'read')
  }
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const written: AuditEvent[] = []
  const append = async (event: AuditEvent) => void written.push(event)
  const services = {
    clock,
    session: { keyspace: 'k' },
    config: { secondPersonFor: [], adminActions: true },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
  }
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 60, mapping }
  const sender = { session, address: null, requestId: 'r', window: new ActWindow(clock) }
  const request = { owner, ttlSeconds: 60 }
  const outcome = clock.run(
    acquireOrRenew(services as never, sender as never, table as never, 'job', request as never),
  )
  return { outcome, renewals, entries: () => written.map(({ act, phase }) => `${act} ${phase}`) }
}

it.each([
  ['a program, of the owner that it chose', program, 'worker-1'],
  ['a person, of the owner that the console gave to that person', ann, ownerFor(ann) as string],
])('the row proves the acquisition of %s', async (_, session, owner) => {
  const { outcome, entries } = acquired(session, owner)
  expect(await outcome).toMatchObject({ kind: 'acquired' })
  expect(entries()).toEqual([])
})

it('a person who names the owner of a program has acquired nothing, and may not renew that lease', async () => {
  const { outcome, renewals } = acquired(ann, 'worker-1')
  await expect(outcome).rejects.toMatchObject({ code: 'forbidden' })
  expect(renewals).not.toHaveBeenCalled()
})

it('a person who may kill renews that lease, and the audit log has the renewal', async () => {
  const { outcome, entries } = acquired({ ...ann, role: 'admin' } as Session, 'worker-1')
  expect(await outcome).toMatchObject({ kind: 'renewed' })
  expect(entries()).toEqual(['renewal intent', 'renewal outcome'])
})
