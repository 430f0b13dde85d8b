import { expect, it } from 'vitest'
import { isSettled, readAgainInMs, recordedWithinMs } from './use-settled-holder.ts'

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
