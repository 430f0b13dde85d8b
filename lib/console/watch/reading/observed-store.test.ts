import { LeaseProtocol, StoreRefusedError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import type { Reading } from '../rows/watched-row.ts'
import { startMs } from '../test-rows.ts'
import { ObservedStore } from './observed-store.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let readings: Reading[]
let written: [name: string, isRead: boolean][]
let leases: LeaseProtocol

function start(columns = { owner: true, value: true }): void {
  clock = new FakeClock(startMs)
  store = new MemoryLeaseStore(clock, columns)
  readings = []
  written = []
  const observed = new ObservedStore(store, clock)
  observed.observedBy({
    read: (reading) => readings.push(reading),
    deleted: (reading) => readings.push(reading),
    written: (...what) => written.push(what),
  })
  leases = new LeaseProtocol({ store: observed, clock, timer: clock, maxClockSkewMs: 100 })
}
beforeEach(() => start())

it('passes on what an acquisition reads, and that a release was applied, without a read more', async () => {
  const outcome = await clock.run(leases.tryAcquire('job', { owner: 'a', ttlSeconds: 30 }))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  expect(readings).toMatchObject([{ name: 'job', cells: { owner: 'a' }, read: { level: 'SERIAL' } }])
  expect(written).toEqual([['job', true]])
  const { sent } = store
  await clock.run(leases.release(outcome.tenure))
  expect(readings.at(-1)).toMatchObject({ name: 'job', cells: null })
  expect([store.sent - sent, readings.length]).toEqual([1, 2])
})

it('takes the quorum read after an acquisition for one of the moment at which that was answered', async () => {
  const { readWritten } = store
  store.readWritten = async (name) => {
    await clock.sleep(40)
    return readWritten.call(store, name)
  }
  await clock.run(leases.tryAcquire('job', { owner: 'a', ttlSeconds: 30 }))
  const [reading] = readings
  if (reading === undefined) throw new Error('nothing was read')
  expect(reading.read.at.monotonicMs - reading.read.sent.monotonicMs).toBe(40)
})

it('takes the quorum read after a renewal for one of the moment at which that was answered', async () => {
  const outcome = await clock.run(leases.tryAcquire('job', { owner: 'a', ttlSeconds: 30 }))
  if (outcome.kind !== 'acquired') throw new Error(outcome.kind)
  readings = []
  written = []
  await clock.run(leases.renew(outcome.tenure))
  await leases.readWritten('job', 'a')
  expect(readings).toMatchObject([{ cells: { owner: 'a' }, read: { level: 'SERIAL' } }])
  expect(written).toEqual([['job', true]])
})

it('asks for a read where the quorum shows another owner than the one that acquired', async () => {
  store.readWritten = async () => {
    const { cells, ...rest } = await store.read('job')
    return { ...rest, cells: cells === null ? null : { ...cells, owner: 'b' } }
  }
  await clock.run(leases.tryAcquire('job', { owner: 'a', ttlSeconds: 30 }))
  expect(written).toEqual([
    ['job', true],
    ['job', false],
  ])
  // The acquisition reads at SERIAL then; the watch gets this reading alone.
  expect(readings).toMatchObject([{ cells: { owner: 'a' } }])
})

it('says nothing of a refused write, and that a row has to be read whose write had no answer', async () => {
  store.plain.insertIfNotExists('job', 'a', 'v', 30)
  await clock.run(leases.tryAcquire('job', { owner: 'b', ttlSeconds: 30 }))
  expect(written).toEqual([])
  store.fault = (kind) => (kind === 'release' ? { kind: 'lost', applied: true, finality: 'read' } : undefined)
  await expect(clock.run(leases.release({ name: 'job', owner: 'a' }))).rejects.toThrow('unknown')
  expect(written).toContainEqual(['job', false])
})

it.each([
  ['was not sent', new StoreUnavailableError('No node of Cassandra can be reached.')],
  ['Cassandra refused', new StoreRefusedError('The role has no MODIFY permission on leases.')],
])('says nothing of a write that %s', async (_, error) => {
  store.acquire = () => Promise.reject(error)
  await expect(clock.run(leases.tryAcquire('job', { owner: 'a', ttlSeconds: 30 }))).rejects.toBe(error)
  expect(written).toEqual([])
})

it('a row of a table without an owner column is there once it was acquired', async () => {
  start({ owner: false, value: false })
  await clock.run(leases.tryAcquire('job', { ttlSeconds: 30 }))
  expect(readings).toMatchObject([{ name: 'job', cells: { owner: null } }])
})
