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

it('a history is read again also after reads that failed, later after each, and not while the page is hidden', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let read = 0
  let isHidden = false
  let fail = () => {}
  const end = keepReading(
    100,
    () => {
      read += 1
      // As a query's `refetch`: it resolves when the read has failed, too.
      return new Promise<void>((resolve) => {
        fail = resolve
      })
    },
    () => isHidden,
  )
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return read
  }
  expect(await after(100)).toBe(1)
  // Another read would cancel one that is slow.
  expect(await after(10_000)).toBe(1)
  for (const [reads, pauseMs] of [500, 1_000, 2_000, 4_000, 8_000, 8_000].entries()) {
    fail()
    expect([await after(pauseMs - 1), await after(1)]).toEqual([reads + 1, reads + 2])
  }
  isHidden = true
  fail()
  expect(await after(60_000)).toBe(7)
  isHidden = false
  expect(await after(8_000)).toBe(8)
  end()
  fail()
  expect(await after(60_000)).toBe(8)
  expect(vi.getTimerCount()).toBe(0)
})
