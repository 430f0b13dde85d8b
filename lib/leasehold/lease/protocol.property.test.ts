/**
 * Random schedules of contenders over the store in memory: lost answers, late applications, clocks of coordinators
 * that differ within the bound. Whatever happens: no two holders before their own deadlines, tokens never fall.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Operator } from '../operator/index.ts'
import { FakeClock, type Fault, MemoryLeaseStore } from '../testing/index.ts'
import { untilDeadlineMs } from '../time/index.ts'
import { isLeaseholdError, LeaseProtocol, type Tenure } from './index.ts'

const skewBoundMs = 400
const contenders = 4

const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
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
  { weight: 1, arbitrary: fc.constant({ kind: 'unavailable' as const }) },
)

// Mostly impatient rivals: an expiry that comes too early is seen only if somebody tries right then.
const move = fc.record({
  who: fc.nat(contenders - 1),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('acquire' as const) },
    { weight: 3, arbitrary: fc.constant('renew' as const) },
    { weight: 1, arbitrary: fc.constant('release' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
  ),
  value: fc.constantFrom('a', 'b'),
  thenMs: fc.nat(400),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 20, maxLength: 80 }),
  faults: fc.array(fault, { minLength: 20, maxLength: 20 }),
  skews: fc.array(fc.nat(skewBoundMs), { minLength: 7, maxLength: 7 }),
  startMs: fc.nat(999),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/**
 * What a schedule showed; undefined: nothing wrong. Operations are started and left running, so that they overlap;
 * each contender has one at a time. `believeMs`: how much longer than allowed holders believe.
 */
async function violation(input: Schedule, believeMs = 0): Promise<string | undefined> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  const store = new MemoryLeaseStore(clock)
  let statements = 0
  store.fault = () => input.faults[statements++ % input.faults.length]
  store.skewMs = () => input.skews[statements % input.skews.length] as number
  const leases = new LeaseProtocol({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: skewBoundMs,
    defaultTtlSeconds: 4,
    settleMs: 3_000,
  })
  const held = new Map<number, Tenure>()
  const busy = new Set<number>()
  /** Tenures that were killed: two may then believe, which the mode says. */
  const killed = new Set<string>()
  const seen: string[] = []
  let lastToken = 0n
  let unexpected: unknown

  const acquire = async (who: number) => {
    const outcome = await leases.tryAcquire('job')
    if (outcome.kind !== 'acquired') return
    const { tenure } = outcome
    // Tokens are compared in the order of the tenures, which is that of the acquisitions' answers here.
    if ((tenure.token ?? 0n) <= lastToken) seen.push(`token ${tenure.token} after ${lastToken}`)
    lastToken = tenure.token ?? 0n
    held.set(who, tenure)
  }
  const renew = async (who: number, value: string) => {
    const outcome = await leases.renew(held.get(who) as Tenure, { value })
    if (outcome.kind === 'renewed') held.set(who, outcome.tenure)
    else held.delete(who)
  }
  const release = async (who: number) => {
    const tenure = held.get(who) as Tenure
    held.delete(who)
    await leases.release(tenure)
  }
  const kill = async () => {
    const view = await leases.read('job')
    if (view?.owner == null) return
    killed.add(view.owner)
    await new Operator(leases).kill({ name: 'job', owner: view.owner })
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
  const check = () => {
    const believers = [...held.values()].filter(
      (tenure) => untilDeadlineMs(tenure.deadline, clock.now()) + believeMs > 0 && !killed.has(tenure.owner),
    )
    if (believers.length > 1) seen.push(`two holders: ${believers.map(({ owner }) => owner).join(', ')}`)
  }

  for (const { who, what, value, thenMs } of input.moves) {
    if (what === 'kill') start(contenders, kill())
    else if (!busy.has(who)) {
      if (what === 'acquire' && !held.has(who)) start(who, acquire(who))
      if (what === 'renew' && held.has(who)) start(who, renew(who, value))
      if (what === 'release' && held.has(who)) start(who, release(who))
    }
    // Looked at twice: right after the answers, and when time has passed.
    await clock.advance(0)
    check()
    await clock.advance(thenMs)
    check()
    if (unexpected !== undefined) throw unexpected
    if (seen.length > 0) return seen[0]
  }
  return undefined
}

const runs = { seed: 20261120, numRuns: 10_000, endOnFailure: true }

it('no two holders before their deadlines, and tokens never fall, in 10,000 schedules', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (input) => {
      expect(await violation(input)).toBeUndefined()
    }),
    runs,
  )
}, 120_000)

it('would be noticed: holders who believe one second longer are found out', async () => {
  const result = await fc.check(
    fc.asyncProperty(schedule, async (input) => (await violation(input, 1_000)) === undefined),
    runs,
  )
  expect(result.failed).toBe(true)
}, 120_000)
