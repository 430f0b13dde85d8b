/** Whole schedules of customers: crashes, stalls, lost and late answers, clocks that differ; each from one seed. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schedules } from '../test/schedules.ts'
import { FakeClock, type Fault, MemoryBakeryRegisters, timerOver } from '../testing/index.ts'
import { Bakery, type BakeryRegisters, type BakeryTurn } from './index.ts'

const maxClockSkewMs = 300

/** A generator of numbers in [0, 1): mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Halt {
  /** When the process halts, on the monotonic clock, and for how long; Infinity: it crashes. */
  atMs: number
  forMs: number
}

/** A process that may halt: until it goes on, no answer reaches it and none of its timers fires. */
function halting(registers: BakeryRegisters, clock: FakeClock, { atMs, forMs }: Halt) {
  const gate = async () => {
    const nowMs = clock.now().monotonicMs
    if (nowMs < atMs || nowMs >= atMs + forMs) return
    if (forMs === Number.POSITIVE_INFINITY) await new Promise(() => {})
    await clock.sleep(atMs + forMs - nowMs)
  }
  const answered = async <T>(statement: Promise<T>): Promise<T> => {
    try {
      return await statement
    } finally {
      await gate()
    }
  }
  const timer = timerOver((ms, signal) => clock.sleep(ms, signal).then(gate))
  const mine: BakeryRegisters = {
    setChoosing: (...args) => answered(registers.setChoosing(...args)),
    clearChoosing: (...args) => answered(registers.clearChoosing(...args)),
    setNumber: (...args) => answered(registers.setNumber(...args)),
    clearNumber: (...args) => answered(registers.clearNumber(...args)),
    choosing: (...args) => answered(registers.choosing(...args)),
    numbers: (...args) => answered(registers.numbers(...args)),
  }
  return { registers: mine, timer }
}

const halt = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Halt>({ atMs: 0, forMs: 0 }) },
  { weight: 1, arbitrary: fc.record({ atMs: fc.nat(4_000), forMs: fc.constant(Number.POSITIVE_INFINITY) }) },
  { weight: 2, arbitrary: fc.record({ atMs: fc.nat(4_000), forMs: fc.integer({ min: 500, max: 12_000 }) }) },
)
const customers = fc.array(
  fc.record({ comesAtMs: fc.nat(3_000), worksMs: fc.integer({ min: 1, max: 9_000 }), halt }),
  { minLength: 2, maxLength: 5 },
)

interface Schedule {
  seed: number
  faultRate: number
  latencyMs: number
  customers: { comesAtMs: number; worksMs: number; halt: Halt }[]
}

async function play({ seed, faultRate, latencyMs, customers }: Schedule): Promise<void> {
  const random = seeded(seed)
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + (seed % 1_000))
  const registers = new MemoryBakeryRegisters(clock)
  registers.latencyMs = () => random() * latencyMs
  registers.skewMs = () => random() * maxClockSkewMs
  registers.fault = (): Fault | undefined => {
    if (random() >= faultRate) return undefined
    const kind = random()
    if (kind < 0.3) return { kind: 'unavailable' }
    if (kind < 0.6) return { kind: 'late', afterMs: random() * 25_000 }
    return { kind: 'lost', applied: random() < 0.5, finality: 'never' }
  }
  const inside = new Set<BakeryTurn>()
  let crowds = 0
  const visit = async ({ comesAtMs, worksMs, halt }: Schedule['customers'][number]) => {
    const own = halting(registers, clock, halt)
    const bakery = new Bakery({ ...own, clock, random, ttlSeconds: 6, maxClockSkewMs })
    await own.timer.sleep(comesAtMs)
    let served = false
    const all = bakery.withLock('bread', { waitMs: Number.POSITIVE_INFINITY }, async (_, turn) => {
      served = true
      if (turn.held && [...inside].some((other) => other.held)) crowds++
      inside.add(turn)
      // It does not look at its signal, and it may halt here.
      await own.timer.sleep(worksMs)
      inside.delete(turn)
    })
    await all.catch((thrown) => expect(thrown.code).toBe('lease-lost'))
    return served
  }
  const visits = customers.map((customer) => ({ customer, served: visit(customer) }))
  const alive = visits.filter(({ customer }) => customer.halt.forMs !== Number.POSITIVE_INFINITY)
  const served = await clock.run(Promise.all(alive.map((each) => each.served)))
  expect(served.every(Boolean), 'the bakery serves every customer that does not crash').toBe(true)
  expect(crowds, 'two inside before their deadlines').toBe(0)
}

const numRuns = schedules(1_500)

it(`never has two customers inside before their deadlines, and serves all that do not crash, in ${numRuns} schedules`, async () => {
  const schedule = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    faultRate: fc.constantFrom(0, 0.05, 0.25),
    latencyMs: fc.constantFrom(5, 100, 1_500),
    customers,
  })
  await fc.assert(fc.asyncProperty(schedule, play), { seed: 20261121, numRuns, endOnFailure: true })
})
