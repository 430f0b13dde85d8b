import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { KeptReadings } from './kept-readings.ts'

let clock: FakeClock
let kept: KeptReadings<number>
let reads: number

beforeEach(() => {
  clock = new FakeClock()
  kept = new KeptReadings({ clock, max: 2 })
  reads = 0
})

const look = (key = 'a') => kept.read(key, 1_000, async () => ++reads)

it('requests join a reading that is under way, and share it for its time', async () => {
  expect(await Promise.all([look(), look()])).toEqual([1, 1])
  await clock.advance(999)
  expect(await look()).toBe(1)
  await clock.advance(1)
  expect(await look()).toBe(2)
})

it('a reading that failed is not kept', async () => {
  const failing = kept.read('a', 1_000, () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(await look()).toBe(1)
})

it('what was forgotten is read again, also when its reading fails later', async () => {
  let reject = (_error: Error) => {}
  const promise = new Promise<number>((_, refuse) => {
    reject = refuse
  })
  const failing = kept.read('a', 1_000, () => promise)
  kept.forget('a')
  expect(await look()).toBe(1)
  reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  expect(await look()).toBe(1)
})

it('holds the readings that were used last', async () => {
  for (const key of ['a', 'b', 'a', 'c']) await look(key)
  expect(await look('a')).toBe(1)
  expect(await look('b')).toBe(4)
})

/** A reading that goes on until its readers have left. */
function endless(signal?: AbortSignal) {
  const until: AbortSignal[] = []
  const reading = kept.read(
    'a',
    1_000,
    (left) =>
      new Promise<number>((_, reject) => {
        until.push(left)
        left.addEventListener('abort', () => reject(left.reason))
      }),
    signal,
  )
  reading.catch(() => {})
  return { reading, until }
}

it('a reading went on after all who waited for it had gone', async () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const { reading, until } = endless(one.signal)
  kept.read('a', 1_000, async () => ++reads, other.signal).catch(() => {})
  one.abort()
  expect(until[0]?.aborted).toBe(false)
  other.abort()
  expect(until[0]?.aborted).toBe(true)
  // Not the one that is ending.
  expect(await look()).toBe(1)
  await expect(reading).rejects.toThrow()
  expect(await look()).toBe(1)
})

it('a reading that has ended is kept when its reader goes', async () => {
  const one = new AbortController()
  await kept.read('a', 1_000, async () => ++reads, one.signal)
  one.abort()
  expect(await look()).toBe(1)
})
