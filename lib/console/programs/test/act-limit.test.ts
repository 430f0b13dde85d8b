import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import type { PermittedSender } from '../../audit/actor.ts'
import { bodies, setUp } from '../../audit/chain/test-stored-log.ts'
import { ActLimit, actsShare } from '../../audit/refusals/act-limit.ts'
import { ActWindow } from '../../http/act-window.ts'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import type { LockServices } from '../lock-services.ts'
import { acquireOrRenew } from '../locking.ts'
import { releaseAs } from '../own-lease.ts'

/** An operator, and a lease name that needs two people, on an audit log in memory. */
function operator() {
  const { store, audit, clock } = setUp(new FakeClock(Date.UTC(2026, 10, 21, 12)))
  const leases = new LeaseProtocol({
    ...{ store: new MemoryLeaseStore(clock), clock, timer: clock },
    ...{ maxClockSkewMs: 100, defaultTtlSeconds: 60 },
  })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, readOnly: false, defaultTtlSeconds: 60, leases } as LeaseTable
  const services = {
    ...{ tables: new Map([['leases', table]]), audit, clock, log, session: { keyspace: 'leasehold' } },
    actLimit: new ActLimit({ audit, clock, timer: clock, log }),
    config: { secondPersonFor: ['two/'], secondPersonAfterMs: 0, adminActions: true, maxClockSkewMs: 100 },
  } as unknown as LockServices
  const session = { username: 'otto', role: 'operator', via: 'password', scope: null } as unknown as Session
  const sender = (): PermittedSender => ({
    ...{ session, address: '10.0.0.7', requestId: 'r' },
    window: new ActWindow(clock),
  })
  const name = 'two/x'
  return {
    entries: () => bodies(store).length,
    refusals: () => bodies(store, 'refused'),
    clock,
    take: (owner: string) =>
      clock.run(acquireOrRenew(services, sender(), table, name, { owner, ttlSeconds: 60 })),
    release: (owner: string) =>
      clock.run(releaseAs(services, sender(), table, { name, owner }, () => leases.release({ name, owner }))),
  }
}
const tooMany = { code: 'too-many-requests' }

it('an operator who takes and releases a name of two people in a loop writes a bounded number of entries', async () => {
  const { take, release, entries, refusals, clock } = operator()
  for (let n = 0; n < actsShare.perKey; n++) {
    await take(`otto@console:${n}`)
    if (n + 1 < actsShare.perKey) await release(`otto@console:${n}`)
  }
  const last = `otto@console:${actsShare.perKey - 1}`
  // What the operator holds can be released; nothing more can be taken.
  expect(await release(last)).toMatchObject({ kind: 'released' })
  await clock.advance(1_000)
  const before = entries()
  expect(before).toBe(4 * actsShare.perKey)
  for (let n = 0; n < 20; n++) await expect(take('otto@console:more')).rejects.toMatchObject(tooMany)
  await expect(release(last)).rejects.toMatchObject(tooMany)
  await clock.advance(600_000)
  expect(entries()).toBe(before)
  expect(refusals()).toMatchObject([
    { act: 'flood', actor: { username: 'otto' }, after: { counted: 21, acts: { acquire: 20, release: 1 } } },
  ])
  expect(await take('otto@console:later')).toMatchObject({ kind: 'acquired' })
})
