import { expect, it } from 'vitest'
import { isSettled, recordedWithinMs } from './use-settled-holder.ts'

it('waits for a history that was read after the recorder could tell of the change', () => {
  expect(isSettled(1_000, 1_000)).toBe(false)
  expect(isSettled(1_000, 1_000 + recordedWithinMs)).toBe(true)
  expect(isSettled(null, 0)).toBe(true)
})
