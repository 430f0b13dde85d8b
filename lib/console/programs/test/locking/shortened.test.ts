/** Of a name of two people, a renewal that may leave the lease less time is in the audit log, also when the holder renews beside it. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEvent } from '../../../../contract/audit.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { ActWindow } from '../../../http/act-window.ts'
import { acquireOrRenew } from '../../locking.ts'

const session = {
  username: 'pay',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['*'] },
} as Session

function twoPeople() {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 12) + 460)
  const store = new MemoryLeaseStore(clock)
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const written: AuditEvent[] = []
  const append = async (event: AuditEvent) => void written.push(event)
  const services = {
    clock,
    session: { keyspace: 'k' },
    config: { secondPersonFor: ['two/'] },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
  }
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 60, mapping }
  const put = (ttlSeconds: number) => {
    const sender = { session, address: null, requestId: 'r', window: new ActWindow(clock) }
    const request = { owner: 'holder', ttlSeconds }
    return acquireOrRenew(services as never, sender as never, table as never, 'two/x', request as never)
  }
  return { clock, store, leases, written, put }
}

it('a renewal that the holder’s own renewal overtakes has an entry', async () => {
  const { clock, store, leases, written, put } = twoPeople()
  await clock.run(put(60))
  await clock.advance(58_000)
  const { renew } = store
  store.renew = async (write) => {
    store.renew = renew
    // Two seconds were left when this request read the lease. The holder renews it before its write.
    await clock.run(put(60))
    return renew.call(store, write)
  }
  await clock.run(put(5))
  expect((await clock.run(leases.read('two/x')))?.ttlSeconds).toBe(5)
  expect(written.map(({ act, phase }) => [act, phase])).toEqual([
    ['renewal', 'intent'],
    ['renewal', 'outcome'],
  ])
})

it('heartbeats for the TTL that the lease has are in no entry', async () => {
  const { clock, written, put } = twoPeople()
  for (let beats = 0; beats < 30; beats++) {
    await clock.run(put(60))
    await clock.advance(7_137)
  }
  expect(written).toEqual([])
})
