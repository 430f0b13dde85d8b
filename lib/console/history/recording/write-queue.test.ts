import { ClosedError, StoreUnavailableError } from 'leasehold/lease'
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

it('gives a write up without a word once the session is closed: the process ends, and Cassandra refused nothing', async () => {
  const clock = new FakeClock(0)
  const said: string[] = []
  const queue = new WriteQueue({ timer: clock, isElected: () => true, refused: () => said.push('refused') })
  let tries = 0
  const write = async () => {
    tries++
    throw new ClosedError()
  }
  queue.add(1_000, write, () => said.push('lost'))
  await clock.run(queue.idle())
  expect([tries, said]).toEqual([1, []])
})

it('begins no write once another process is the recorder', async () => {
  const clock = new FakeClock(0)
  const said: string[] = []
  let isElected = true
  const queue = new WriteQueue({
    timer: clock,
    isElected: () => isElected,
    refused: () => said.push('refused'),
  })
  let tries = 0
  const write = async () => {
    tries++
    throw new StoreUnavailableError('down')
  }
  queue.add(1_000, write, () => said.push('lost'))
  await clock.advance(1_900)
  expect(tries).toBe(4)
  isElected = false
  queue.add(2_000, write, () => said.push('lost'))
  await clock.advance(10_000)
  // The next recorder writes them: nothing is refused, and nothing waits here any more.
  expect([tries, said, queue.oldestMs]).toEqual([4, [], null])
})
