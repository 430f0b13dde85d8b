/** Callers are answered soon, also by a store that says nothing; what comes of it later is found and released. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Locks } from '../../lock/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore, type StatementKind } from '../../testing/index.ts'
import { LeaseProtocol, Leases } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: Leases
const options = () => ({
  store,
  clock,
  timer: clock,
  random: () => 0.5,
  maxClockSkewMs: 100,
  defaultTtlSeconds: 600,
})

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = new Leases(options())
})

/** Statements of this kind are applied, and never answered. */
const silent = (of: StatementKind) => {
  store.fault = (kind) => (kind === of ? { kind: 'delayed', answerMs: 3_600_000 } : undefined)
}
const owner = async () => (await store.read('job')).cells?.owner ?? null

describe('a store that says nothing', () => {
  it('to a try: its outcome is unknown within five seconds, and what was acquired is released', async () => {
    silent('acquire')
    await expect(clock.run(leases.tryAcquire('job'))).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(clock.now().monotonicMs).toBeLessThanOrEqual(5_000)
    await clock.advance(100)
    expect(await owner()).toBeNull()
    // Nor is it acquired again, when the driver has given up.
    await clock.advance(60_000)
    expect(await owner()).toBeNull()
  })

  it('to a caller who aborts: that one is gone at once, and what was acquired is released', async () => {
    silent('acquire')
    const stop = new AbortController()
    const ended = expect(leases.acquire('job', { signal: stop.signal })).rejects.toThrow('enough')
    await clock.advance(50)
    stop.abort(new Error('enough'))
    await clock.advance(0)
    await ended
    await clock.advance(25_000)
    expect(await owner()).toBeNull()
  })

  it('to a wait that is over: no longer than a try takes', async () => {
    silent('acquire')
    await expect(clock.run(leases.acquire('job', { waitMs: 2_000 }))).rejects.toMatchObject({
      code: 'outcome-unknown',
    })
    expect(clock.now().monotonicMs).toBeLessThanOrEqual(7_000)
  })

  it('to the release of a lock: the error of the work is thrown within a second', async () => {
    silent('release')
    const failing = new Locks(leases).withLock('job', async () => {
      throw new Error('of the work')
    })
    await expect(clock.run(failing)).rejects.toThrow('of the work')
    expect(clock.now().monotonicMs).toBeLessThanOrEqual(1_000)
  })
})

describe('the ghost of a try that lands twenty seconds later', () => {
  const late = (): Fault => ({ kind: 'late', afterMs: 20_000 })
  /** The first try is late, and what follows is as it should be. */
  const firstIsLate = () => {
    const faults = [late()]
    store.fault = (kind) => (kind === 'acquire' ? faults.shift() : undefined)
  }
  /** No ghost is there, nor comes. */
  const isGone = async () => {
    await clock.advance(22_000)
    expect(await owner()).toBeNull()
    await clock.advance(60_000)
    expect(await owner()).toBeNull()
  }

  it('is released after a wait that was aborted', async () => {
    const stop = new AbortController()
    store.fault = (kind) => (kind === 'acquire' ? late() : undefined)
    const ended = expect(leases.acquire('job', { signal: stop.signal })).rejects.toThrow('enough')
    await clock.advance(10)
    stop.abort(new Error('enough'))
    await clock.advance(0)
    await ended
    await isGone()
  })

  it('is released after an outcome that was unknown', async () => {
    let tried = false
    store.fault = (kind) => {
      if (kind === 'acquire' && !tried) {
        tried = true
        return late()
      }
      return tried && clock.now().monotonicMs < 10_000 ? { kind: 'unavailable' } : undefined
    }
    const unknown = new Leases({ ...options(), settleMs: 1_000 }).tryAcquire('job')
    await expect(clock.run(unknown)).rejects.toMatchObject({ code: 'outcome-unknown' })
    await isGone()
  })

  it('is released when a later try was acquired, and released before', async () => {
    firstIsLate()
    const lease = await clock.run(leases.acquire('job'))
    await clock.advance(1_000)
    await clock.run(lease.release())
    await isGone()
  })

  it('is released behind a tenure that was kept by hand', async () => {
    firstIsLate()
    const protocol = new LeaseProtocol(options())
    const outcome = await clock.run(protocol.tryAcquire('job'))
    if (outcome.kind !== 'acquired') throw new Error(`expected acquired, got ${outcome.kind}`)
    await clock.run(protocol.release(outcome.tenure))
    await isGone()
  })
})

it('to close thousands of leases does not hold up the process', async () => {
  const count = 2_000
  for (let i = 0; i < count; i++) await leases.acquire(`job/${i}`)
  // What a release does for each lease that is not released yet looks at the time.
  const now = vi.spyOn(clock, 'now')
  const closed = leases.close()
  expect(now.mock.calls.length).toBeLessThan(20 * count)
  await clock.run(closed)
})
