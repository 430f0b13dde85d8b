import { bareEvent, dayMs, hourMs, lastBefore } from 'leasehold/history'
import { FakeClock, MemoryEventStore } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { LastTransitions } from './last-transitions.ts'

const startMs = Date.UTC(2026, 0, 30, 12, 0)

/** Like a die, and the same at each run. */
function random(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 48_271) % 2_147_483_647
    return state % max
  }
}

it.each([1, 2, 7, 30])('finds what a walk through all hours of %i days finds, at each look', async (days) => {
  const below = random(days * 7_919)
  for (let round = 0; round < 12; round++) {
    const clock = new FakeClock(startMs)
    const events = new MemoryEventStore()
    const transitions = new LastTransitions({ clock })
    const { signal } = new AbortController()
    const lease = { leaseTable: 'k.leases', name: 'job', events: () => events, signal }
    for (let look = 0; look < 12; look++) {
      const nowMs = clock.now().wallMs
      // It happens now: what is written late has tests of its own.
      const event = { ...bareEvent, name: 'job', kind: 'asked', source: 'observed', owner: 'a' } as const
      if (below(3) === 0) await events.write({ ...event, id: String(look), atMs: nowMs - 1 })
      const fromMs = nowMs - days * dayMs
      const agoMs = [0, hourMs, 6 * hourMs, below(days * dayMs), days * dayMs - 1][below(5)] ?? 0
      const toMs = below(2) === 0 ? nowMs - agoMs : Math.floor((nowMs - agoMs) / hourMs) * hourMs
      const range = { fromMs, toMs }
      expect(await transitions.before(lease, range)).toEqual(await lastBefore(events, 'job', range))
      await clock.advance([5_000, hourMs, 9 * hourMs, dayMs][below(4)] ?? 0)
    }
  }
})
