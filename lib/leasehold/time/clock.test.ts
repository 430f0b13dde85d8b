import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemTimer } from './clock.ts'

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
