/** A lock that changes hands between each try of the server and the read after it. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
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

let clock: FakeClock
let store: MemoryLeaseStore

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 25, 12))
  store = new MemoryLeaseStore(clock)
})

function put(owner?: string, columns = { owner: 'owner', value: 'value' } as Record<string, string | null>) {
  const leases = new LeaseProtocol({ store, clock, timer: clock, maxClockSkewMs: 100 })
  const append = async () => {}
  const services = {
    clock,
    session: { keyspace: 'k' },
    config: { secondPersonFor: [] },
    audit: { append, appendUntilWritten: append },
    actLimit: { take: () => {} },
  }
  const mapping = { table: 'leases', name: 'name', ...columns }
  const table = { id: 'leases', leases, defaultTtlSeconds: 60, mapping }
  const sender = { session, address: null, requestId: 'r', window: new ActWindow(clock) }
  const request = { owner, ttlSeconds: 60 }
  return clock.run(
    acquireOrRenew(services as never, sender as never, table as never, 'job', request as never),
  )
}

/** Others hold it when the server tries, and have released it when the server reads. */
function changesHands(): void {
  const { acquire } = store
  let times = 0
  store.acquire = async (write) => {
    const owner = `other-${++times}`
    store.plain.insertIfNotExists('job', owner, null, 60)
    const answer = await acquire.call(store, write)
    await store.release({ name: 'job', owner })
    return answer
  }
}

it.each([undefined, 'mine'])('names the holder of the last try, for the owner %s', async (owner) => {
  changesHands()
  await expect(put(owner)).rejects.toMatchObject({
    code: 'lock-held',
    extra: { holder: { name: 'job', owner: 'other-3', remainingMs: 0, ttlSeconds: null } },
    headers: { 'Retry-After': '1' },
  })
})

it('does not name the caller’s own owner, whose lease ends before each renewal: the outcome is unknown', async () => {
  store.plain.insertIfNotExists('job', 'mine', null, 60)
  store.renew = async () => {
    await store.release({ name: 'job', owner: 'mine' })
    store.plain.insertIfNotExists('job', 'mine', null, 60)
    return { applied: false, found: null }
  }
  await expect(put('mine')).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'mine' })
})

it('does not name the caller’s own owner either, where a refused try met it and its lease ended before the read', async () => {
  store.acquire = async () => ({ applied: false, found: { owner: 'mine' } })
  await expect(put('mine')).rejects.toMatchObject({ code: 'outcome-unknown', owner: 'mine' })
})
