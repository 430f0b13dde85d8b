import { StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { WriteQueue } from './write-queue.ts'

it('says when the earliest of what waits happened, in whatever order it came', async () => {
  const clock = new FakeClock(0)
  const queue = new WriteQueue({ timer: clock, isElected: () => true, refused: () => {} })
  let isDown = true
  const write = async () => {
    if (isDown) throw new StoreUnavailableError('down')
  }
  expect(queue.oldestMs).toBeNull()
  for (const atMs of [2_000, 1_000, 3_000]) queue.add(atMs, write)
  expect(queue.oldestMs).toBe(1_000)
  isDown = false
  await clock.run(queue.idle())
  expect(queue.oldestMs).toBeNull()
})
