import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toTheEnd } from '../test-rows.ts'
import { sortedInSteps } from './sorted-in-steps.ts'

it('sorts as an array does', () => {
  const compare = (one: number, other: number) => one - other
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 3_000 }), (items) => {
      expect(toTheEnd(sortedInSteps(items, compare))).toEqual([...items].sort(compare))
    }),
    { numRuns: 60, seed: 12 },
  )
})

it('compares some thousand times in a step at most, however many items there are', () => {
  let compared = 0
  let most = 0
  const items = Array.from({ length: 100_000 }, (_, i) => (i * 7_919) % 100_003)
  const steps = sortedInSteps(items, (one, other) => {
    compared++
    return one - other
  })
  for (let step = steps.next(); !step.done; step = steps.next()) {
    most = Math.max(most, compared)
    compared = 0
  }
  expect(most).toBeLessThan(5_000)
})
