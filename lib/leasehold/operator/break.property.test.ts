/**
 * Random schedules of holders, rivals and operators who break leases, over the store in memory: lost answers, late
 * marks, statements that contend, coordinators whose clocks differ within the bound, and a renewal between an
 * operator's re-read and its mark. Whatever happens: no two holders before their own deadlines, broken ones included.
 */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLeaseholdError, LeaseProtocol, type QuarantineWrite, type Tenure } from '../lease/index.ts'
import { schedules } from '../test/schedules.ts'
import { type Delay, FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { contentionLimitMs, untilDeadlineMs } from '../time/index.ts'
import { Operator } from './operator.ts'

const skewBoundMs = 400
const contenders = 4

const fault: fc.Arbitrary<Fault | Delay | undefined> = fc.oneof(
  { weight: 16, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lost' as const),
      applied: fc.boolean(),
      finality: fc.constantFrom('read' as const, 'never' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      afterMs: fc.integer({ min: 1, max: 25_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delayed' as const),
      contendedMs: fc.nat(contentionLimitMs.v2),
    }),
  },
)

// An early expiry shows only if a rival tries right then: most rivals are impatient.
const move = fc.record({
  who: fc.nat(contenders - 1),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('acquire' as const) },
    { weight: 4, arbitrary: fc.constant('renew' as const) },
    { weight: 2, arbitrary: fc.constant('break' as const) },
  ),
  /** Whether the holder renews between the re-read and the mark. */
  slipsIn: fc.boolean(),
  thenMs: fc.nat(1_500),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 30, maxLength: 90 }),
  faults: fc.array(fault, { minLength: 20, maxLength: 20 }),
  skews: fc.array(fc.nat(skewBoundMs), { minLength: 7, maxLength: 7 }),
  startMs: fc.nat(999),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/**
 * What a schedule violated; undefined: nothing.
 * @param shorterSeconds by how much a mark expires too soon
 */
async function violation(input: Schedule, shorterSeconds = 0): Promise<string | undefined> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  const store = new MemoryLeaseStore(clock)
  let statements = 0
  store.fault = () => input.faults[statements++ % input.faults.length]
  store.skewMs = () => input.skews[statements % input.skews.length] as number
  const protocol = {
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: skewBoundMs,
    // Longer than the margin of a mark: else a quarantine that counts the rest of the TTL would pass too.
    defaultTtlSeconds: 12,
    settleMs: 3_000,
  }
  const leases = new LeaseProtocol(protocol)
  const held = new Map<number, Tenure>()
  const busy = new Set<number>()
  let unexpected: unknown
  let breaks = 0

  const acquire = async (who: number) => {
    const outcome = await leases.tryAcquire('job')
    if (outcome.kind === 'acquired') held.set(who, outcome.tenure)
  }
  const renew = async (who: number) => {
    const outcome = await leases.renew(held.get(who) as Tenure)
    if (outcome.kind === 'renewed') held.set(who, outcome.tenure)
    // A refused holder knows of its loss. Here it believes until its deadline all the same, like one that is cut off.
  }
  const quarantine = store.quarantine.bind(store)
  const breakIt = async (slipsIn: boolean) => {
    const view = await leases.read('job')
    if (view?.owner == null || view.owner.startsWith('!')) return
    const holder = [...held].find(([, { owner }]) => owner === view.owner)?.[0]
    const operated = Object.create(store) as MemoryLeaseStore
    operated.release = store.release.bind(store)
    operated.read = store.read.bind(store)
    operated.quarantine = async (write: QuarantineWrite) => {
      if (slipsIn && holder !== undefined) await renew(holder).catch(() => {})
      return quarantine({ ...write, ttlSeconds: Math.max(1, write.ttlSeconds - shorterSeconds) })
    }
    const operator = new LeaseProtocol({ ...protocol, store: operated })
    await new Operator(operator).break({ name: 'job', owner: view.owner }, { id: `${++breaks}` })
  }
  const start = (who: number, operation: Promise<void>) => {
    busy.add(who)
    const expected = ['outcome-unknown', 'store-unavailable'] as const
    operation
      .catch((thrown) => {
        if (!expected.some((code) => isLeaseholdError(thrown, code))) unexpected = thrown
      })
      .finally(() => busy.delete(who))
  }
  const believers = () =>
    [...held.values()].filter((tenure) => untilDeadlineMs(tenure.deadline, clock.now()) > 0)

  for (const { who, what, slipsIn, thenMs } of input.moves) {
    if (what === 'break' && !busy.has(contenders)) start(contenders, breakIt(slipsIn))
    else if (what !== 'break' && !busy.has(who)) {
      const tenure = held.get(who)
      if (what === 'acquire' && (tenure === undefined || untilDeadlineMs(tenure.deadline, clock.now()) <= 0))
        start(who, acquire(who))
      if (what === 'renew' && tenure !== undefined) start(who, renew(who))
    }
    for (const passMs of [0, thenMs]) {
      await clock.advance(passMs)
      if (unexpected !== undefined) throw unexpected
      const both = believers()
      if (both.length > 1) return `two holders: ${both.map(({ owner }) => owner).join(', ')}`
    }
  }
  return undefined
}

// One schedule in a thousand shows what the second test plants; with this seed there is one among the first.
const runs = { seed: 1, numRuns: schedules(4_000), endOnFailure: true }

it(`no two holders before their own deadlines, in ${runs.numRuns} schedules with breaks`, async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (input) => {
      expect(await violation(input)).toBeUndefined()
    }),
    runs,
  )
})

it('finds the violation when marks expire four seconds too soon', async () => {
  const result = await fc.check(
    fc.asyncProperty(schedule, async (input) => (await violation(input, 4)) === undefined),
    runs,
  )
  expect(result.failed).toBe(true)
})
