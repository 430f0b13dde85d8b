/**
 * Random schedules of processes that claim the leadership of a group, send heartbeats, several at once too, and resign,
 * over the store in memory: lost answers, late applications, heartbeats that begin early and are applied late, clocks
 * of coordinators that differ within the bound. Whatever happens: no two leaders before their own deadlines, and
 * fencing tokens never fall.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLeaseholdError, LeaseProtocol } from '../lease/index.ts'
import { type Belief, expose, LastSends, weather } from '../test/late-renewals.ts'
import { schedules } from '../test/schedules.ts'
import { FakeClock, MemoryLeaseStore } from '../testing/index.ts'
import { LeadershipGroup, type LeadershipToken } from './index.ts'

const skewBoundMs = 400
const processes = 4
const ttlSeconds = 4

// An early expiry shows only if a rival claims right then: most rivals are impatient.
const move = fc.record({
  who: fc.nat(processes - 1),
  what: fc.oneof(
    { weight: 24, arbitrary: fc.constant('claim' as const) },
    { weight: 6, arbitrary: fc.constant('heartbeat' as const) },
    { weight: 1, arbitrary: fc.constant('resign' as const) },
  ),
  thenMs: fc.nat(400),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 30, maxLength: 80 }),
  weather: weather(skewBoundMs),
  startMs: fc.nat(999),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/** One process at the group. Its claims come one at a time, its heartbeats up to three at once. */
interface Process {
  token: LeadershipToken | undefined
  claiming: boolean
  heartbeats: number
}

/** What a schedule violated; undefined: nothing. */
async function violation(input: Schedule, belief: Belief = { kind: 'as-said' }): Promise<string | undefined> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  // cassandra-leadership's table has no value column.
  const store = new MemoryLeaseStore(clock, { owner: true, value: false })
  expose(store, input.weather)
  const lastSends = new LastSends(store, clock, { ttlSeconds, maxClockSkewMs: skewBoundMs })
  const deps = { store, clock, timer: clock, random: () => 0.5, settleMs: 3_000 }
  const group = new LeadershipGroup(new LeaseProtocol({ ...deps, maxClockSkewMs: skewBoundMs }), 'job')
  const all = Array.from(
    { length: processes },
    (): Process => ({ token: undefined, claiming: false, heartbeats: 0 }),
  )
  const seen: string[] = []
  let claims = 0
  let lastToken = 0n
  let unexpected: unknown

  const relies = ({ token }: Process): boolean => {
    if (token === undefined) return false
    if (belief.kind === 'last-send') return lastSends.relies(token.identity)
    return (
      token.held || (belief.kind === 'longer' && token.deadlineMs + belief.byMs > clock.now().monotonicMs)
    )
  }
  const claim = async (process: Process) => {
    const outcome = await group.tryClaimLeader(`leader-${++claims}`, ttlSeconds * 1_000)
    if (outcome.kind !== 'claimed') return
    const { token } = outcome
    const fence = token.fencingToken ?? 0n
    if (fence <= lastToken) seen.push(`token ${fence} after ${lastToken}`)
    lastToken = fence
    process.token = token
  }
  const heartbeat = async (process: Process, token: LeadershipToken) => {
    const outcome = await token.heartbeat()
    if (outcome.kind === 'lost' && outcome.why !== 'deadline' && process.token === token)
      process.token = undefined
  }
  const resign = async (process: Process, token: LeadershipToken) => {
    process.token = undefined
    await token.resign()
  }
  const run = (work: Promise<void>, ended: () => void) => {
    const expected = ['outcome-unknown', 'store-unavailable'] as const
    work
      .catch((thrown) => {
        if (!expected.some((code) => isLeaseholdError(thrown, code))) unexpected = thrown
      })
      .finally(ended)
  }
  const look = () => {
    const leaders = all.filter(relies).map(({ token }) => token?.identity)
    if (leaders.length > 1) seen.push(`two leaders: ${leaders.join(', ')}`)
  }

  for (const { who, what, thenMs } of input.moves) {
    const process = all[who] as Process
    const { token } = process
    if (what === 'claim' && !process.claiming && !relies(process)) {
      process.claiming = true
      run(claim(process), () => {
        process.claiming = false
      })
    }
    if (what === 'heartbeat' && token !== undefined && process.heartbeats < 3) {
      process.heartbeats++
      run(heartbeat(process, token), () => {
        process.heartbeats--
      })
    }
    if (what === 'resign' && token !== undefined) run(resign(process, token), () => {})
    // Checks twice: right after the answers, and when time has passed.
    await clock.advance(0)
    look()
    await clock.advance(thenMs)
    look()
    if (unexpected !== undefined) throw unexpected
    if (seen.length > 0) return seen[0]
  }
  return undefined
}

const runs = { seed: 20261122, numRuns: schedules(4_000), endOnFailure: true }

it(`no two leaders before their deadlines, and tokens never fall, in ${runs.numRuns} schedules`, async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (input) => {
      expect(await violation(input)).toBeUndefined()
    }),
    runs,
  )
})

it('finds the violation when leaders believe one second longer', async () => {
  const result = await fc.check(
    fc.asyncProperty(
      schedule,
      async (input) => (await violation(input, { kind: 'longer', byMs: 1_000 })) === undefined,
    ),
    { ...runs, numRuns: 4_000 },
  )
  expect(result.failed).toBe(true)
})

it('finds the violation when leaders count from the last send alone, within 2,000 schedules', async () => {
  const result = await fc.check(
    fc.asyncProperty(
      schedule,
      async (input) => (await violation(input, { kind: 'last-send' }))?.startsWith('two leaders') !== true,
    ),
    { ...runs, numRuns: 2_000 },
  )
  expect(result.failed).toBe(true)
})
