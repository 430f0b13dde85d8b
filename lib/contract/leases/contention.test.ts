import { contentionLimitMs } from 'leasehold/time'
import { expect, it } from 'vitest'
import { longestContentionMs } from './contention.ts'

it('the pages and the library agree on how long a write contends at most', () => {
  expect(longestContentionMs).toBe(Math.max(...Object.values(contentionLimitMs)))
  expect(longestContentionMs).toBe(contentionLimitMs.v1)
})
