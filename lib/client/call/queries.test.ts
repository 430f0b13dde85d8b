import { expect, it } from 'vitest'
import { sightingAt } from '../row/test-lease.ts'
import { followed, type LeaseReading, leaseRhythm } from './queries.ts'

const free = (readAtMs: number): LeaseReading => ({ held: false, readAtMs, now: undefined })
const held = { held: true, sighting: sightingAt(0) } as LeaseReading

it('a free lease is read less and less often, and every second again once it is held', () => {
  let reading = followed(held, free(1000))
  const gaps = [leaseRhythm(reading)]
  for (const atMs of [2000, 11_000, 61_000, 3_600_000]) {
    reading = followed(reading, free(atMs))
    gaps.push(leaseRhythm(reading))
  }
  expect(gaps).toEqual([1000, 1000, 1000, 6000, 15_000])
  expect(leaseRhythm(followed(reading, held))).toBe(1000)
  expect(leaseRhythm(undefined)).toBe(1000)
})
