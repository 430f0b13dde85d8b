import { expect, it } from 'vitest'
import { FAULTS } from '../../scripts/cluster/arguments.mjs'
import { faultKinds, needsMs, type PlannedFault, planOf, planWithin } from './plan.ts'

const first = (count: number, seed: number): PlannedFault[] => {
  const plan = planOf(seed, faultKinds)
  return Array.from({ length: count }, () => plan.next().value)
}

it('the same seed gives the same plan, and another one another', () => {
  expect(first(30, 7)).toEqual(first(30, 7))
  expect(first(30, 7)).not.toEqual(first(30, 8))
})

it('every kind comes once before any comes again, on a node or console that there is', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const all = first(3 * faultKinds.length, seed)
    for (let i = 0; i < all.length; i += faultKinds.length) {
      const round = all.slice(i, i + faultKinds.length)
      expect(new Set(round.map(({ kind }) => kind))).toEqual(new Set(faultKinds))
    }
    for (const { kind, target, lastsMs, afterMs } of all) {
      expect(target).toBeLessThan(kind === 'console' ? 2 : 3)
      expect(needsMs({ kind, target, lastsMs, afterMs })).toBeGreaterThanOrEqual(lastsMs + afterMs)
    }
  }
})

it('the command knows every kind', () => {
  expect([...FAULTS]).toEqual([...faultKinds])
})

it('goes on as long as one of its kinds fits', () => {
  const stoppedEarly: number[] = []
  for (let seed = 0; seed < 50; seed++) {
    let leftMs = 10 * 60_000
    for (const fault of planWithin(seed, ['restart', 'cut'], () => leftMs)) leftMs -= needsMs(fault)
    // A `cut` needs 25 s at most.
    if (leftMs > 25_000) stoppedEarly.push(seed)
  }
  expect(stoppedEarly).toEqual([])
})
