import { afterEach, expect, it, vi } from 'vitest'
import { isSettled, keepReading, readAgainInMs, recordedWithinMs } from './use-settled-holder.ts'

afterEach(() => void vi.useRealTimers())

it('waits for a history that was read after the recorder could tell of the change', () => {
  expect(isSettled(1_000, 1_000)).toBe(false)
  expect(isSettled(1_000, 1_000 + recordedWithinMs)).toBe(true)
  expect(isSettled(null, 0)).toBe(true)
})

it('a history from before a forced release is read again until the event of that is surely noted, and no more then', () => {
  const actedAtMs = 10_000
  expect(readAgainInMs(actedAtMs, 8_000)).toBe(500)
  expect(readAgainInMs(actedAtMs, 10_100)).toBe(500)
  expect(readAgainInMs(actedAtMs, 11_900)).toBe(100)
  expect(readAgainInMs(actedAtMs, 12_000)).toBeNull()
})

it('a history is read again also after a read that failed, half a second after it ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let read = 0
  let fail = () => {}
  const end = keepReading(100, () => {
    read += 1
    // As a query's `refetch`: it resolves when the read has failed, too.
    return new Promise<void>((resolve) => {
      fail = resolve
    })
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(read).toBe(1)
  // Another read would cancel one that is slow.
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toBe(1)
  fail()
  await vi.advanceTimersByTimeAsync(499)
  expect(read).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(read).toBe(2)
  end()
  fail()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})
