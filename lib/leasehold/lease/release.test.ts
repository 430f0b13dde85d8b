/** Releasing in a table without an owner column, where a delete hits any holder. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { LeaseProtocol, type Tenure } from './index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: LeaseProtocol

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock, { owner: false, value: false })
  leases = new LeaseProtocol({ store, clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 })
})

async function acquire(): Promise<Tenure> {
  const outcome = await clock.run(leases.tryAcquire('job', { ttlSeconds: 10 }))
  if (outcome.kind !== 'acquired') throw new Error(`expected acquired, got ${outcome.kind}`)
  return outcome.tenure
}

it('is certain when its answer comes before the deadline', async () => {
  const tenure = await acquire()
  expect(await clock.run(leases.release(tenure))).toEqual({ kind: 'released', certain: true })
  expect((await store.read('job')).cells).toBeNull()
})

it('sends nothing after the deadline: the row may be the next holder’s by then', async () => {
  const late = await acquire()
  // The window is 8.9 s; the row is there for up to a second more.
  await clock.advance(8_950)
  const { sent } = store
  expect(await clock.run(leases.release(late))).toEqual({ kind: 'notHeld', owner: null })
  expect(store.sent).toBe(sent)
  await clock.advance(2_000)
  await acquire()
  expect(await clock.run(leases.release(late))).toEqual({ kind: 'notHeld', owner: null })
  expect((await store.read('job')).cells).not.toBeNull()
})

it('is not certain when its answer comes after the deadline', async () => {
  const tenure = await acquire()
  await clock.advance(8_500)
  store.fault = (kind) => (kind === 'release' ? { kind: 'delayed', answerMs: 1_000 } : undefined)
  expect(await clock.run(leases.release(tenure))).toEqual({ kind: 'released', certain: false })
})

it('is sent once: a second delete could hit the next holder', async () => {
  const tenure = await acquire()
  let releases = 0
  store.fault = (kind) => {
    if (kind !== 'release') return undefined
    releases++
    return { kind: 'lost', applied: true, finality: 'never' }
  }
  await expect(clock.run(leases.release(tenure))).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(releases).toBe(1)
})
