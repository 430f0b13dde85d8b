import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { Sampler } from './sampler.ts'

const limits = { windowMs: 60_000, perKey: 3, total: 10 }

it('admits a number for each key and a number in all, and counts the rest', async () => {
  const clock = new FakeClock(1_790_000_000_000)
  const sampler = new Sampler(clock, limits)
  const admitted = (key: string, times: number) =>
    Array.from({ length: times }, () => sampler.admit(key)).filter(Boolean).length
  expect(admitted('a', 100)).toBe(3)
  expect(sampler.admit('b')).toEqual({ passedOver: 97 })
  for (let i = 0; i < 1_000; i++) sampler.admit(`address ${i}`)
  expect(admitted('c', 5)).toBe(0)
  await clock.advance(60_000)
  // 1,000 addresses; 6 of them were admitted, and the last five.
  expect(sampler.admit('a')).toEqual({ passedOver: 999 })
  expect(admitted('a', 5)).toBe(2)
})
