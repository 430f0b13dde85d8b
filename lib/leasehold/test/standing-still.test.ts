import { expect, it } from 'vitest'
import { StandStills } from './standing-still.ts'

/** A process whose clocks the test moves. */
function clocks() {
  let [nowMs, usedMs] = [1_000, 50]
  const pass = (ms: number, ofWhichUsedMs: number) => {
    nowMs += ms
    usedMs += ofWhichUsedMs
  }
  return { pass, stills: new StandStills({ nowMs: () => nowMs, usedMs: () => usedMs }) }
}

it('takes the time for a stop in which the process neither waited for the timer nor worked', () => {
  const { pass, stills } = clocks()
  pass(3_000, 400)
  expect(stills.since(1_000)).toBe(3_000 - 20 - 400)
  expect(stills.ranSince(1_000)).toBe(20 + 400)
  // The second half of that stop, and what came after it.
  pass(15, 0)
  expect(stills.ranSince(3_000)).toBe(15)
})

it('takes no work that keeps the event loop for a stop', () => {
  const { pass, stills } = clocks()
  pass(10_000, 9_990)
  expect(stills.ranSince(1_000)).toBe(10_000)
})

it('ignores that a timer is some milliseconds late', () => {
  const { pass, stills } = clocks()
  for (let look = 0; look < 100; look++) {
    pass(24, 0)
    expect(stills.since(1_000)).toBe(0)
  }
})

it('counts what a busy loop of this process uses as time in which it ran', () => {
  const startedMs = performance.now()
  const stills = new StandStills()
  const started = process.cpuUsage()
  const usedMs = () => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1_000
  }
  while (usedMs() < 500);
  // Without the time between two readings of the two clocks.
  expect(stills.ranSince(startedMs)).toBeGreaterThan(400)
})
