/** What a heartbeat costs: one conditional write, and the read of what came of it. */
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '../../../../contract/people/session.ts'
import type { LockRequest } from '../../../../contract/programs/lock.ts'
import { acquireOrRenew } from '../../locking.ts'

const session = {
  username: 'jobs',
  role: 'client',
  via: 'token',
  elevatedUntil: null,
  expiresAt: null,
  scope: { role: 'client', prefixes: [''], tables: ['leases'] },
} as Session
const owner = 'worker-1'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
/** The statements of the last request, in their order. */
let sent: string[]
let put: (body: LockRequest, name?: string) => ReturnType<typeof acquireOrRenew>

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 460)
  store = new MemoryLeaseStore(clock)
  const { acquire, renew, read } = store
  const counted = (kind: string, execute: (write: never) => unknown) => (write: never) => {
    sent.push(kind)
    return execute.call(store, write)
  }
  Object.assign(store, {
    acquire: counted('acquire', acquire),
    renew: counted('renew', renew),
    read: counted('read', read),
    readWritten: counted('readWritten', read),
  })
  const deps = { clock, timer: clock, random: () => 0.5, maxClockSkewMs: 400, defaultTtlSeconds: 30 }
  leases = new LeaseProtocol({ store, ...deps })
  const mapping = { table: 'leases', owner: 'owner', value: 'value' }
  const table = { id: 'leases', leases, defaultTtlSeconds: 30, mapping } as never
  const config = { secondPersonFor: ['two/'] }
  put = (body, name = 'job') => {
    sent = []
    const services = { clock, session: { keyspace: 'k' }, config } as never
    return clock.run(acquireOrRenew(services, { session } as never, table, name, body))
  }
})

it('that brings the value which is there is one conditional write and one read at quorum', async () => {
  await put({ owner, value: 'A' })
  await clock.advance(5_000)
  const renewed = await put({ owner, value: 'A', renewOnly: true })
  expect(renewed).toMatchObject({ kind: 'renewed', view: { owner, value: 'A' } })
  expect(sent).toEqual(['renew', 'readWritten'])
  expect((await leases.read('job'))?.expiresAtMs).toBeGreaterThanOrEqual(clock.now().wallMs + 29_000)
})

it('that brings another value writes it', async () => {
  await put({ owner, value: 'A' })
  expect(await put({ owner, value: 'B', renewOnly: true })).toMatchObject({ view: { value: 'B' } })
  expect(sent).toEqual(['renew', 'renew', 'readWritten'])
})

it('that brings none leaves the value which is there', async () => {
  await put({ owner })
  expect(await put({ owner, renewOnly: true })).toMatchObject({ view: { value: null } })
  expect(sent).toEqual(['renew', 'readWritten'])
  await put({ owner, value: 'A' })
  expect(await put({ owner, renewOnly: true })).toMatchObject({ view: { value: 'A' } })
  expect(sent).toEqual(['renew', 'renew', 'readWritten'])
})

it('under another owner gets the holder, and changes nothing', async () => {
  await put({ owner: 'rival', value: 'A' })
  const before = await leases.read('job')
  const refused = await put({ owner, value: 'A', renewOnly: true })
  expect(refused).toMatchObject({ kind: 'not-holder', view: { owner: 'rival' } })
  expect((await leases.read('job'))?.version).toBe(before?.version)
})

it('of a lease that is over acquires nothing', async () => {
  expect(await put({ owner, value: 'A', renewOnly: true })).toMatchObject({ kind: 'not-holder', view: null })
  await put({ owner, value: 'A', ttlSeconds: 5 })
  await clock.advance(6_000)
  expect(await put({ owner, value: 'A', renewOnly: true })).toMatchObject({ kind: 'not-holder', view: null })
  expect(sent).not.toContain('acquire')
})

it('of a name that needs two people reads the lease first: the audit log may have to say what it changed', async () => {
  await put({ owner, value: 'A' }, 'two/x')
  await put({ owner, value: 'A', renewOnly: true }, 'two/x')
  expect(sent).toEqual(['read', 'renew', 'readWritten'])
})

it('that cannot be sent is unavailable at once; one whose row cannot be read afterwards has an unknown outcome', async () => {
  await put({ owner })
  const startedMs = clock.now().monotonicMs
  store.fault = () => ({ kind: 'unavailable' })
  await expect(put({ owner, renewOnly: true })).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(clock.now().monotonicMs - startedMs).toBeLessThan(1_000)
  store.fault = (kind) => (kind === 'read' ? { kind: 'unavailable' } : undefined)
  await expect(put({ owner, renewOnly: true })).rejects.toMatchObject({ code: 'outcome-unknown' })
})
