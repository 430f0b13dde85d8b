import { beforeEach, expect, it } from 'vitest'
import { PageClock } from './page-clock.ts'

/** What stands still while the machine is suspended, and what goes on. */
let clocks = { monotonicMs: 1000, wallMs: 5_000_000 }
let told = 0
let clock: PageClock

const pass = (ms: number) => {
  clocks = { monotonicMs: clocks.monotonicMs + ms, wallMs: clocks.wallMs + ms }
}

beforeEach(() => {
  clocks = { monotonicMs: 1000, wallMs: 5_000_000 }
  told = 0
  clock = new PageClock(
    () => clocks.monotonicMs,
    () => clocks.wallMs,
  )
  clock.onSuspend(() => told++)
})

it('goes on in a suspend, in which the monotonic clock stood still, and tells each listener once', async () => {
  const askedAtMs = clock.now()
  pass(250)
  clocks.wallMs += 3_600_000
  expect(clock.now()).toBe(1250 + 3_600_000)
  // Where React renders nothing may change: the listeners are called a moment later.
  expect(told).toBe(0)
  await Promise.resolve()
  expect(told).toBe(1)
  expect(clock.wasSuspendedSince(askedAtMs)).toBe(true)
  expect(clock.wasSuspendedSince(clock.now())).toBe(false)
  pass(60_000)
  expect(clock.now()).toBe(61_250 + 3_600_000)
  // Two suspends are as long as both.
  clocks.wallMs += 10_000
  expect(clock.now()).toBe(61_250 + 3_610_000)
  await Promise.resolve()
  expect(told).toBe(2)
})

it('a wall clock that is set back, and one that is corrected little by little, change nothing', async () => {
  clocks.wallMs -= 3_600_000
  expect(clock.now()).toBe(1000)
  for (let times = 0; times < 10; times++) {
    clocks.wallMs += 1500
    expect(clock.now()).toBe(1000)
  }
  await Promise.resolve()
  expect(told).toBe(0)
  // It is still noticed that it goes on in a suspend.
  clocks.wallMs += 10_000
  expect(clock.now()).toBe(11_000)
})

it('a listener that has ended is not called, nor is one that another begins', async () => {
  let later = 0
  const end = clock.onSuspend(() => clock.onSuspend(() => later++))
  clocks.wallMs += 10_000
  clock.now()
  await Promise.resolve()
  expect([told, later]).toEqual([1, 0])
  end()
  clocks.wallMs += 10_000
  clock.now()
  await Promise.resolve()
  expect([told, later]).toEqual([2, 1])
})
