import { LeaseProtocol, StoreRefusedError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { ObservedStore } from './reading/observed-store.ts'
import { Watch } from './watch.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let watch: Watch
let closing: AbortController

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  const observed = new ObservedStore(store, clock)
  leases = new LeaseProtocol({ store: observed, clock, timer: clock, maxClockSkewMs: 100 })
  const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
  const table = { id: 'leases', mapping, readOnly: false, leases } as unknown as LeaseTable
  closing = new AbortController()
  watch = new Watch({
    tables: new Map([['leases', table]]),
    clock,
    timer: clock,
    log,
    closing: closing.signal,
  })
  observed.observedBy(watch.observer('leases'))
})
afterEach(() => {
  closing.abort()
  vi.restoreAllMocks()
})

it('a tick that fails is logged, and the next ones go on', async () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue()
  await store.acquire({ name: 'job', owner: 'a', value: null, ttlSeconds: 20 })
  watch.begin()
  await clock.advance(1_000)
  const prune = vi.spyOn(watch.table('leases'), 'prune').mockImplementationOnce(() => {
    throw new Error('a mistake')
  })
  await clock.advance(1_000)
  expect(logged.mock.calls).toEqual([
    [{ error: expect.objectContaining({ message: 'a mistake' }) }, 'a tick of the watch failed'],
  ])
  expect(prune.mock.calls.length).toBeGreaterThan(5)
})

/** The owners of a row, as listeners hear of them; null: it is gone. */
async function released(aheadMs: number): Promise<(string | null)[]> {
  await store.acquire({ name: 'job', owner: 'a', value: null, ttlSeconds: 200 })
  // From now on the row is dated so far ahead of the coordinators.
  store.skewMs = () => -aheadMs
  watch.begin()
  await clock.advance(5_000)
  const owners: (string | null)[] = []
  watch.table('leases').listen((_, after) => owners.push(after?.owner ?? null))
  await clock.run(leases.release({ name: 'job', owner: 'a' }))
  return owners
}

it('a row that is dated ahead is not shown gone because its DELETE was applied: it is read', async () => {
  store.release = async () => ({ applied: true })
  const owners = await released(60_000)
  await clock.advance(5_000)
  expect(owners).toEqual([])
  expect(watch.table('leases').snapshot.rows.get('job')?.owner).toBe('a')
})

it('any other row is gone once its DELETE was applied, without a read', async () => {
  const read = vi.spyOn(store, 'read')
  expect(await released(0)).toEqual([null])
  await clock.advance(500)
  expect(read).not.toHaveBeenCalled()
})

it('says of each table alone whether Cassandra answers for it', async () => {
  const other = new MemoryLeaseStore(clock)
  const otherLeases = new LeaseProtocol({ store: other, clock, timer: clock, maxClockSkewMs: 100 })
  const mapping = { table: 'locks', name: 'name', owner: 'owner', value: 'value' }
  const tables = new Map([
    ['leases', watch.table('leases').table],
    ['locks', { id: 'locks', mapping, readOnly: false, leases: otherLeases } as unknown as LeaseTable],
  ])
  watch = new Watch({ tables, clock, timer: clock, log, closing: closing.signal })
  await other.acquire({ name: 'job', owner: 'host:1:0123456789ab:1', value: null, ttlSeconds: 30 })
  watch.begin()
  await clock.advance(5_000)
  expect(watch.table('locks').storeFacts).toEqual({ kind: 'good' })
  other.fault = () => ({ kind: 'unavailable' })
  await clock.advance(25_000)
  expect(watch.table('leases').storeFacts).toEqual({ kind: 'good' })
  expect(watch.table('locks').storeFacts).toMatchObject({ kind: 'lost' })
  // A renewal that no replica can take is not missing.
  expect(watch.table('locks').snapshot.rows.get('job')?.state).toBe('held')
  other.fault = () => undefined
  await clock.advance(3_000)
  expect(watch.table('locks').storeFacts).toEqual({ kind: 'good' })
})

it('says of a table that may no longer be read that Cassandra refuses, not that it is silent', async () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue()
  watch.begin()
  await clock.advance(1_000)
  const refused = new StoreRefusedError('User reader has no SELECT permission on <table leases>')
  vi.spyOn(store, 'scanRows').mockRejectedValue(refused)
  await clock.advance(10_000)
  expect(watch.table('leases').storeFacts).toMatchObject({ kind: 'lost', refused: true })
  // The page sends the operator to the log.
  expect(logged.mock.calls).toEqual([[{ error: refused }, 'a scan or a confirmation of leases failed']])
})
