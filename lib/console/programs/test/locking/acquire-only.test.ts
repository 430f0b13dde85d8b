/** A program may ask for a lease under an owner of its own choice, and mean: only if it is free. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '../../../../contract/people/session.ts'
import type { LockRequest } from '../../../../contract/programs/lock.ts'
import { lockRequestSchema } from '../../../../contract/programs/lock.ts'
import { acquireOrRenew } from '../../locking.ts'

const session = {
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['leases'] },
} as Session
const services = (clock: FakeClock) =>
  ({ clock, session: { keyspace: 'k' }, config: { secondPersonFor: [] } }) as never

let clock: FakeClock
let leases: LeaseProtocol
let store: MemoryLeaseStore
let put: (body: LockRequest) => ReturnType<typeof acquireOrRenew>
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 460)
  store = new MemoryLeaseStore(clock)
  const deps = { clock, timer: clock, random: () => 0.5, maxClockSkewMs: 400, defaultTtlSeconds: 30 }
  leases = new LeaseProtocol({ store, ...deps })
  const mapping = { table: 'leases', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 30, mapping } as never
  put = (body) => acquireOrRenew(services(clock), { session } as never, table, 'job', body)
})

it('a lease that the same owner holds is held, and stays as it is', async () => {
  const owner = 'user1'
  expect(await clock.run(put({ owner, value: 'A', acquireOnly: true }))).toMatchObject({ kind: 'acquired' })
  const before = await leases.read('job')
  const again = await clock.run(put({ owner, value: 'B', ttlSeconds: 2, acquireOnly: true }))
  expect(again).toMatchObject({ kind: 'held', view: { owner } })
  const after = await leases.read('job')
  expect([after?.version, after?.expiresAtMs, after?.value]).toEqual([
    before?.version,
    before?.expiresAtMs,
    'A',
  ])
  expect(await clock.run(put({ owner, ttlSeconds: 30 }))).toMatchObject({ kind: 'renewed' })
})

it('it asks for one conditional write, and for no read before it', async () => {
  const { sent } = store
  await clock.run(put({ owner: 'user1', acquireOnly: true }))
  // The write, and the read of the token.
  expect(store.sent - sent).toBe(2)
})

it('a request cannot ask for both', () => {
  const both = lockRequestSchema.safeParse({ owner: 'a', renewOnly: true, acquireOnly: true })
  expect(both.error?.issues[0]?.message).toContain('exclude each other')
})
