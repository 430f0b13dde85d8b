/** In fake time, on a store in memory. */
import { LeaseProtocol, quarantineMark, StoreRefusedError } from 'leasehold/lease'
import { FakeClock, MemoryLeaseStore } from 'leasehold/testing'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { log } from '../http/log/log.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { parseExposition, sampleOf } from './test-exposition.ts'
import { WatchedLeases } from './watched-leases.ts'

const name = 'billing/"leader"\nof, all'
let clock: FakeClock
let store: MemoryLeaseStore
let registry: Registry
let stop: AbortController
let begin: () => void

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  registry = new Registry()
  stop = new AbortController()
  const leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0, defaultTtlSeconds: 10 })
  const table = { id: 'leases', leases, mapping: { owner: 'owner' } } as unknown as LeaseTable
  const watched = new WatchedLeases(registry, [{ table, name }], { clock, timer: clock, log })
  begin = () => void watched.watch(stop.signal)
})
afterEach(() => stop.abort())

/** held, hand-overs, leaderless seconds. */
async function seen(): Promise<(number | undefined)[]> {
  const families = parseExposition(await registry.metrics())
  const labels = { table: 'leases', lease: name }
  return [
    sampleOf(families, 'leasehold_lease_held', labels),
    sampleOf(families, 'leasehold_lease_hand_overs_total', labels),
    sampleOf(families, 'leasehold_lease_leaderless_seconds_total', labels),
  ]
}
const hold = (owner: string, ttlSeconds = 3_600) =>
  store.plain.insertIfNotExists(name, owner, null, ttlSeconds)

it('says nothing of a lease that was not read', async () => {
  expect(await seen()).toEqual([undefined, 0, 0])
})

it('counts time without a holder, also while it lasts', async () => {
  begin()
  await clock.advance(10_000)
  expect(await seen()).toEqual([0, 0, 10])
  hold('one')
  await clock.advance(2_000)
  const [held, handOvers, seconds] = await seen()
  expect([held, handOvers]).toEqual([1, 0])
  // It is seen within a second.
  expect(seconds).toBeGreaterThanOrEqual(10)
  expect(seconds).toBeLessThanOrEqual(11)
  await clock.advance(60_000)
  expect((await seen())[2]).toBe(seconds)
})

it('counts another holder, with a vacancy before it or without, and the same one again not', async () => {
  hold('one')
  begin()
  await clock.advance(1_000)
  expect(await seen()).toEqual([1, 0, 0])
  store.plain.deleteIfOwner(name, 'one')
  hold('two')
  await clock.advance(2_000)
  expect((await seen()).slice(0, 2)).toEqual([1, 1])
  store.plain.deleteIfOwner(name, 'two')
  await clock.advance(2_000)
  hold('two')
  await clock.advance(2_000)
  expect((await seen()).slice(0, 2)).toEqual([1, 1])
  store.plain.deleteIfOwner(name, 'two')
  await clock.advance(2_000)
  hold('three')
  await clock.advance(2_000)
  expect((await seen()).slice(0, 2)).toEqual([1, 2])
})

it('takes an expiry for a vacancy, and a quarantine for no holder', async () => {
  hold('one', 3)
  begin()
  await clock.advance(1_000)
  expect((await seen())[0]).toBe(1)
  await clock.advance(4_000)
  expect((await seen())[0]).toBe(0)
  hold(quarantineMark('plan'))
  await clock.advance(2_000)
  expect((await seen()).slice(0, 2)).toEqual([0, 0])
})

it('goes on after a read was refused, and says nothing while it cannot read', async () => {
  hold('one')
  begin()
  await clock.advance(1_000)
  expect((await seen())[0]).toBe(1)
  const read = store.read.bind(store)
  store.read = () => Promise.reject(new StoreRefusedError('The role may not read this table.'))
  store.plain.deleteIfOwner(name, 'one')
  await clock.advance(30_000)
  expect((await seen())[0]).toBeUndefined()
  store.read = read
  await clock.advance(30_000)
  expect((await seen())[0]).toBe(0)
})

it('counts one stretch without a holder through the quarantine that comes within it', async () => {
  begin()
  await clock.advance(10_000)
  hold(quarantineMark('plan'))
  await clock.advance(5_000)
  expect(await seen()).toEqual([0, 0, 15])
})
