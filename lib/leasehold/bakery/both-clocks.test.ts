/** Turns of a customer whose clocks part: its machine is suspended, or its wall clock is set forward. */
import { beforeEach, expect, it } from 'vitest'
import { FakeClock, MemoryBakeryRegisters } from '../testing/index.ts'
import { Bakery } from './index.ts'

let clock: FakeClock
let registers: MemoryBakeryRegisters
let bakery: Bakery

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1) + 777)
  registers = new MemoryBakeryRegisters(clock)
  bakery = new Bakery({ registers, clock, timer: clock, random: () => 0.5, ttlSeconds: 30 })
})

it('a number is written again within a second of the end of a suspend that took most of its time', async () => {
  const served = bakery.withLock('bread', async (_, turn) => {
    await clock.sleep(1_000)
    clock.suspend(20_000)
    expect(turn.remainingMs).toBe(7_500)
    await clock.sleep(1_000)
    expect(turn.remainingMs).toBeGreaterThan(27_000)
    await clock.sleep(60_000)
    return turn.held
  })
  expect(await clock.run(served)).toBe(true)
})

it('a turn outlives one suspend after the other, although no third of its time passes awake', async () => {
  const served = bakery.withLock('bread', async (_, turn) => {
    for (let times = 0; times < 20; times++) {
      clock.suspend(10_000)
      await clock.sleep(2_000)
    }
    return turn.held
  })
  expect(await clock.run(served)).toBe(true)
})

it('a turn whose time passed in a suspend aborts its signal within a second of the end', async () => {
  let aborted = false
  const served = bakery.withLock('bread', async (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true
    })
    clock.suspend(30_000)
    await clock.sleep(1_001)
    expect(aborted).toBe(true)
  })
  await expect(clock.run(served)).rejects.toMatchObject({ code: 'lease-lost', reason: 'deadline' })
})
