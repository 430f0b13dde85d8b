/**
 * Random schedules of contenders over the store in memory: lost answers, late applications, renewals that begin early
 * and are applied late, renewals of one tenure that follow each other or overlap, clocks of coordinators that differ
 * within the bound. Whatever happens: no two holders before their own deadlines, tokens never fall, and no tenure is
 * renewed after a later one was handed out.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Operator } from '../operator/index.ts'
import { type Belief, expose, LastSends, weather } from '../test/late-renewals.ts'
import { schedules } from '../test/schedules.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { untilDeadlineMs } from '../time/index.ts'
import { isLeaseholdError, LeaseProtocol, type Tenure } from './index.ts'

const skewBoundMs = 400
const contenders = 4
const ttlSeconds = 4
// Mostly impatient rivals: an expiry that comes too early is seen only if a rival tries right then.
const move = fc.record({
  who: fc.nat(contenders - 1),
  what: fc.oneof(
    { weight: 24, arbitrary: fc.constant('acquire' as const) },
    { weight: 6, arbitrary: fc.constant('renew' as const) },
    { weight: 1, arbitrary: fc.constant('release' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
  ),
  value: fc.constantFrom('a', 'b'),
  thenMs: fc.nat(400),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 30, maxLength: 80 }),
  weather: weather(skewBoundMs),
  startMs: fc.nat(999),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/**
 * What a schedule showed; undefined: nothing wrong. Operations are started and left running, so that they overlap;
 * each contender has one at a time, or several renewals.
 */
async function violation(input: Schedule, belief: Belief = { kind: 'as-said' }): Promise<string | undefined> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  const store = new MemoryLeaseStore(clock)
  expose(store, input.weather)
  const lastSends = new LastSends(store, clock, { ttlSeconds, maxClockSkewMs: skewBoundMs })
  const leases = new LeaseProtocol({
    store,
    clock,
    timer: clock,
    random: () => 0.5,
    maxClockSkewMs: skewBoundMs,
    defaultTtlSeconds: ttlSeconds,
    settleMs: 3_000,
  })
  const held = new Map<number, Tenure>()
  const busy = new Set<number>()
  const renewing = new Map<number, number>()
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
    const tenure = held.get(who) as Tenure
    const later = lastToken
    const outcome = await leases.renew(tenure, { value })
    const now = held.get(who)
    if (now?.owner !== tenure.owner) return
    if (outcome.kind === 'renewed') {
      if ((tenure.token ?? 0n) < later) seen.push(`token ${tenure.token} renewed after ${later}`)
      // Of two renewals at once, the later deadline counts, whichever is answered first.
      if (said(outcome.tenure) > said(now)) held.set(who, outcome.tenure)
    } else if (belief.kind !== 'last-send' || outcome.why === 'not-holder') held.delete(who)
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
  const startRenewal = (who: number, value: string) => {
    renewing.set(who, (renewing.get(who) ?? 0) + 1)
    start(
      who,
      renew(who, value).finally(() => renewing.set(who, (renewing.get(who) ?? 1) - 1)),
    )
  }
  const believes = ({ owner, deadline }: Tenure) =>
    belief.kind === 'last-send'
      ? lastSends.relies(owner)
      : untilDeadlineMs(deadline, clock.now()) + (belief.kind === 'longer' ? belief.byMs : 0) > 0
  const check = () => {
    const believers = [...held.values()].filter((tenure) => believes(tenure) && !killed.has(tenure.owner))
    if (believers.length > 1) seen.push(`two holders: ${believers.map(({ owner }) => owner).join(', ')}`)
  }

  for (const { who, what, value, thenMs } of input.moves) {
    if (what === 'kill') start(contenders, kill())
    else if (what === 'renew' && held.has(who) && (renewing.get(who) ?? 0) < 3) startRenewal(who, value)
    else if (!busy.has(who)) {
      const tenure = held.get(who)
      if (what === 'acquire' && (tenure === undefined || !believes(tenure))) start(who, acquire(who))
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

const said = ({ deadline }: Tenure) => deadline.from.monotonicMs + deadline.afterMs

const runs = { seed: 20261120, numRuns: schedules(10_000), endOnFailure: true }

it(`no two holders before their deadlines, and tokens never fall, in ${runs.numRuns} schedules`, async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (input) => {
      expect(await violation(input)).toBeUndefined()
    }),
    runs,
  )
})

it('would be noticed: holders who believe one second longer are found out', async () => {
  const result = await fc.check(
    fc.asyncProperty(
      schedule,
      async (input) => (await violation(input, { kind: 'longer', byMs: 1_000 })) === undefined,
    ),
    { ...runs, numRuns: 10_000 },
  )
  expect(result.failed).toBe(true)
})

it('would be noticed: holders who count from the last send alone are found out within 2,000 schedules', async () => {
  const result = await fc.check(
    fc.asyncProperty(
      schedule,
      async (input) => (await violation(input, { kind: 'last-send' }))?.startsWith('two holders') !== true,
    ),
    { ...runs, numRuns: 2_000 },
  )
  expect(result.failed).toBe(true)
})
