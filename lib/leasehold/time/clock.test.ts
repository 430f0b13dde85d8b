import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { surelyElapsedMs, systemTimer } from './clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sleeps for the longest time that a timer can, when the caller asks for more', async () => {
  let awake = false
  void systemTimer.sleep(30 * 24 * 3_600_000).then(() => {
    awake = true
  })
  await vi.advanceTimersByTimeAsync(24 * 24 * 3_600_000)
  expect(awake).toBe(false)
  await vi.advanceTimersByTimeAsync(24 * 3_600_000)
  expect(awake).toBe(true)
})

it.each([
  ['is suspended for an hour', 3_600_000],
  ['has its wall clock set back by an hour', -3_600_000],
])('counts the monotonic clock alone as surely elapsed when the machine %s', (_, stepMs) => {
  const since = { monotonicMs: 500, wallMs: 1_000_000 }
  expect(surelyElapsedMs(since, { monotonicMs: 90_500, wallMs: 1_090_000 + stepMs })).toBe(90_000)
})
