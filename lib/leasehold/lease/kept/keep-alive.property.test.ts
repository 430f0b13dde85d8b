/**
 * Random schedules of processes that keep leases alive, write values, release, and reach no node for a while, over the
 * store in memory: lost answers, late applications, renewals that begin early and are applied late, clocks of
 * coordinators that differ within the bound. Whatever happens: no two leases of one name are held at once, and tokens
 * never fall.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Belief, expose, LastSends, weather } from '../../test/late-renewals.ts'
import { schedules } from '../../test/schedules.ts'
import { FakeClock, MemoryLeaseStore } from '../../testing/index.ts'
import { isLeaseholdError, type Lease, type LeaseLostError, Leases, StoreUnavailableError } from '../index.ts'

const skewBoundMs = 400
const processes = 4
const ttlSeconds = 6

// Mostly impatient rivals: an expiry that comes too early is seen only if a rival tries right then.
const move = fc.record({
  who: fc.nat(processes - 1),
  what: fc.oneof(
    { weight: 24, arbitrary: fc.constant('acquire' as const) },
    { weight: 2, arbitrary: fc.constant('update' as const) },
    { weight: 1, arbitrary: fc.constant('release' as const) },
    { weight: 6, arbitrary: fc.constant('cut off' as const) },
    { weight: 6, arbitrary: fc.constant('reconnect' as const) },
  ),
  value: fc.constantFrom('a', 'b'),
  thenMs: fc.nat(500),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 40, maxLength: 90 }),
  weather: weather(skewBoundMs),
  startMs: fc.nat(999),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

interface Process {
  readonly leases: Leases
  lease: Lease | undefined
  busy: boolean
  cutOff: boolean
}

/** The same store, as long as it can be reached. */
const reached = (store: MemoryLeaseStore, cutOff: () => boolean): MemoryLeaseStore =>
  new Proxy(store, {
    get: (target, key) => {
      const member = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        if (cutOff()) throw new StoreUnavailableError('The process is cut off (by order of the test).')
        return member.apply(target, args)
      }
    },
  })

/** What a schedule showed; undefined: nothing wrong. */
async function violation(input: Schedule, belief: Belief = { kind: 'as-said' }): Promise<string | undefined> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  const store = new MemoryLeaseStore(clock)
  expose(store, input.weather)
  const lastSends = new LastSends(store, clock, { ttlSeconds, maxClockSkewMs: skewBoundMs })
  const deps = { clock, timer: clock, random: () => 0.5, settleMs: 3_000, maxClockSkewMs: skewBoundMs }
  const all = Array.from({ length: processes }, (): Process => {
    const process: Process = {
      leases: new Leases({
        store: reached(store, () => process.cutOff),
        ...deps,
        defaultTtlSeconds: ttlSeconds,
      }),
      lease: undefined,
      busy: false,
      cutOff: false,
    }
    return process
  })
  const seen: string[] = []
  let lastToken = 0n
  let unexpected: unknown

  const relies = ({ lease }: Process): boolean => {
    if (lease === undefined) return false
    if (lease.held) return belief.kind !== 'last-send' || lastSends.relies(lease.owner)
    // What was released, or refused, is over; what ended by its deadline is believed in for longer.
    if ((lease.signal.reason as LeaseLostError).reason !== 'deadline') return false
    if (belief.kind === 'last-send') return lastSends.relies(lease.owner)
    return belief.kind === 'longer' && lease.deadlineMs + belief.byMs > clock.now().monotonicMs
  }
  const acquire = async (process: Process) => {
    const outcome = await process.leases.tryAcquire('job', { value: 'a' })
    if (outcome.kind === 'held') return
    const { lease } = outcome
    if (lease.token <= lastToken) seen.push(`token ${lease.token} after ${lastToken}`)
    lastToken = lease.token
    process.lease = lease
  }
  const run = (process: Process, work: Promise<unknown>) => {
    const expected = ['lease-lost', 'outcome-unknown', 'store-unavailable'] as const
    process.busy = true
    work
      .catch((thrown) => {
        if (!expected.some((code) => isLeaseholdError(thrown, code))) unexpected = thrown
      })
      .finally(() => {
        process.busy = false
      })
  }
  const look = () => {
    const holders = all.filter(relies).map(({ lease }) => lease?.owner)
    if (holders.length > 1) seen.push(`two holders: ${holders.join(', ')}`)
  }

  for (const { who, what, value, thenMs } of input.moves) {
    const process = all[who] as Process
    const { lease } = process
    if (what === 'cut off') process.cutOff = true
    if (what === 'reconnect') process.cutOff = false
    if (!process.busy) {
      if (what === 'acquire' && !relies(process)) run(process, acquire(process))
      if (what === 'update' && lease?.held) run(process, lease.update(value))
      if (what === 'release' && lease?.held) run(process, lease.release())
    }
    // Looked at twice: right after the answers, and when time has passed.
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

it(`no two leases are held at once, and tokens never fall, in ${runs.numRuns} schedules`, async () => {
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
    { ...runs, numRuns: 4_000 },
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
