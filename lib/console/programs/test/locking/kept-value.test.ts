/** A renewal that says nothing of the value must not undo a value whose write was answered. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { Session } from '../../../../contract/people/session.ts'
import { acquireOrRenew } from '../../locking.ts'

const session = {
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['leases'] },
} as Session

it('a heartbeat without a value leaves the value that another request wrote meanwhile', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + 460)
  const store = new MemoryLeaseStore(clock)
  const deps = { clock, timer: clock, random: () => 0.5, maxClockSkewMs: 400, defaultTtlSeconds: 30 }
  const leases = new LeaseProtocol({ store, ...deps })
  const mapping = { table: 'leases', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 30, mapping }
  const put = (body: object) =>
    acquireOrRenew(
      { clock, session: { keyspace: 'k' }, config: { secondPersonFor: [] } } as never,
      { session } as never,
      table as never,
      'job',
      body as never,
    )
  await clock.run(put({ owner: 'worker-1', value: 'A' }))

  // The heartbeat has read the row, and its conditional write is on its way.
  const renew = store.renew.bind(store)
  let passOn = () => {}
  const held = new Promise<void>((resolve) => {
    passOn = resolve
  })
  let first = true
  store.renew = async (write) => {
    if (first) {
      first = false
      await held
    }
    return renew(write)
  }
  const heartbeat = put({ owner: 'worker-1', renewOnly: true })
  await clock.advance(50)
  // Another request of the same holder writes B, and is answered: 200.
  expect(await clock.run(put({ owner: 'worker-1', renewOnly: true, value: 'B' }))).toMatchObject({
    kind: 'renewed',
  })
  expect((await leases.read('job'))?.value).toBe('B')
  passOn()
  expect(await clock.run(heartbeat)).toMatchObject({ kind: 'renewed', view: { value: 'B' } })
  expect((await leases.read('job'))?.value).toBe('B')
})
