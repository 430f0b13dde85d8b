import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemTimer } from './clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sleeps for as long as a timer can, where it is told to sleep for longer', async () => {
  let awake = false
  void systemTimer.sleep(30 * 24 * 3_600_000).then(() => {
    awake = true
  })
  await vi.advanceTimersByTimeAsync(24 * 24 * 3_600_000)
  expect(awake).toBe(false)
  await vi.advanceTimersByTimeAsync(24 * 3_600_000)
  expect(awake).toBe(true)
})
