/**
 * Renewals of a process whose clocks part: its machine is suspended, or its wall clock is set forward. Deadlines count by the
 * clock that shows more, and so must the time of a renewal: a lease is not to be lost while its process is awake and its store
 * answers.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { type LeaseLostError, Leases } from '../index.ts'

let clock: FakeClock
let store: MemoryLeaseStore
let leases: Leases
let renewals: number

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 250)
  store = new MemoryLeaseStore(clock)
  leases = new Leases({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: 500,
    defaultTtlSeconds: 30,
  })
  renewals = 0
  store.fault = (kind) => {
    if (kind === 'renew') renewals++
    return undefined
  }
})

describe('a lease', () => {
  // A suspend and a wall clock that is set forward look the same to a process.
  it('is renewed within a second of the end of a suspend that took most of its time', async () => {
    const lease = await clock.run(leases.acquire('job'))
    await clock.advance(1_000)
    clock.suspend(20_000)
    expect(lease.remainingMs).toBe(7_500)
    await clock.advance(1_000)
    expect(renewals).toBe(1)
    expect(lease.remainingMs).toBeGreaterThan(27_000)
    await clock.advance(60_000)
    expect(lease.held).toBe(true)
    await clock.run(lease.release())
  })

  it('outlives one suspend after the other, although none of its thirds passes awake', async () => {
    const lease = await clock.run(leases.acquire('job'))
    for (let times = 0; times < 20; times++) {
      clock.suspend(10_000)
      await clock.advance(2_000)
    }
    expect(lease.held).toBe(true)
    await clock.run(lease.release())
  })

  it('is not renewed later than after a third of its time, when the wall clock is set back', async () => {
    const lease = await clock.run(leases.acquire('job'))
    clock.suspend(-3_600_000)
    await clock.advance(9_600)
    expect(renewals).toBe(1)
    await clock.run(lease.release())
  })

  it('whose time passed in a suspend aborts its signal within a second of the end', async () => {
    const lease = await clock.run(leases.acquire('job'))
    const { signal } = lease
    clock.suspend(30_000)
    await clock.advance(1_000)
    expect((signal.reason as LeaseLostError | undefined)?.reason).toBe('deadline')
  })
})

it('a thousand leases cost a look at the clocks each second, and not one each, while none is due', async () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `many/${i}`)
  await clock.run(Promise.all(names.map((name) => leases.acquire(name, { ttlSeconds: 3_600 }))))
  await clock.advance(5_000)
  let looks = 0
  const now = clock.now.bind(clock)
  clock.now = () => {
    looks++
    return now()
  }
  await clock.advance(60_000)
  expect(looks).toBeLessThanOrEqual(200)
  await clock.run(leases.close())
})

it('no timer is left once the last lease is released', async () => {
  const lease = await clock.run(leases.acquire('job'))
  await clock.run(lease.release())
  let woken = 0
  const now = clock.now.bind(clock)
  clock.now = () => {
    woken++
    return now()
  }
  await clock.advance(60_000)
  expect(woken).toBe(0)
})
