/** A wait through an outage sends twice a second, for days: it remembers the tries whose rows may be there, and no others. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { Acquisition, acquire } from './acquire.ts'
import { ClosedError, LeaseProtocol } from './index.ts'
import { openForMs } from './open-tries.ts'

const ttlSeconds = 30
let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol
let acquisition: Acquisition
/** The owners of all tries, in order. */
let owners: string[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new MemoryLeaseStore(clock)
  owners = []
  const sent = store.acquire.bind(store)
  store.acquire = (write) => {
    owners.push(write.owner)
    return sent(write)
  }
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, settleMs: 1_000 })
  acquisition = new Acquisition({ name: 'job', value: null, ttlSeconds, waits: true })
})

/** One round that meets this fault at each try. */
async function round(fault: Fault): Promise<void> {
  store.fault = (kind) => (kind === 'acquire' ? fault : undefined)
  await clock.run(acquire(leases.context, acquisition).catch(() => undefined))
  store.fault = () => undefined
}
const remembered = () => owners.filter((owner) => acquisition.tryOf(owner) !== undefined)

it('forgets a try that was never sent', async () => {
  await round({ kind: 'unavailable' })
  expect(owners.length).toBeGreaterThan(0)
  expect(remembered()).toEqual([])
})

it('remembers a try whose answer was lost until its row is certainly gone', async () => {
  await round({ kind: 'lost', applied: false, finality: 'never' })
  const early = [...owners]
  await clock.advance(openForMs + (ttlSeconds - 2) * 1_000)
  await round({ kind: 'unavailable' })
  expect(remembered()).toEqual(early)
  await clock.advance(10_000)
  await round({ kind: 'unavailable' })
  expect(remembered()).toEqual([])
})

it('looks no more for a try once its session is closed, so that the process can end', async () => {
  store.fault = (kind) =>
    kind === 'acquire' ? { kind: 'lost', applied: false, finality: 'never' } : undefined
  store.plain.insertIfNotExists('job', 'rival', null, 60)
  await expect(clock.run(leases.tryAcquire('job'))).rejects.toMatchObject({ code: 'outcome-unknown' })
  await clock.advance(3_000)
  let reads = 0
  store.read = async () => {
    reads++
    throw new ClosedError()
  }
  await clock.advance(10_000)
  expect(reads).toBe(1)
})
