/**
 * Random schedules of processes that campaign, resign, crash and are paused, over stores in memory that lose answers,
 * apply writes late, with the expiry of an early start too, and have coordinators whose clocks differ within the bound.
 * Whatever happens: no two leaders before their own deadlines, and terms grow with tokens.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLeaseholdError, Leases } from '../lease/index.ts'
import { delay } from '../test/late-renewals.ts'
import { schedules } from '../test/schedules.ts'
import { FakeClock, type Fault, MemoryLeaseStore, MemoryTermStore, timerOver } from '../testing/index.ts'
import { Election, type Leadership, StoredTerms } from './index.ts'

const skewBoundMs = 400
const processes = 3

const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
  { weight: 16, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
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

const move = fc.record({
  who: fc.nat(processes - 1),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('campaign' as const) },
    { weight: 2, arbitrary: fc.constant('resign' as const) },
    { weight: 2, arbitrary: fc.constant('crash' as const) },
    { weight: 3, arbitrary: fc.constant('pause' as const) },
    { weight: 2, arbitrary: fc.constant('go on' as const) },
  ),
  thenMs: fc.oneof(fc.nat(20), fc.nat(3_000)),
})

const schedule = fc.record({
  moves: fc.array(move, { minLength: 10, maxLength: 40 }),
  faults: fc.array(fault, { minLength: 23, maxLength: 23 }),
  renewalFaults: fc.array(fc.oneof({ weight: 3, arbitrary: fault }, { weight: 2, arbitrary: delay }), {
    minLength: 11,
    maxLength: 11,
  }),
  skews: fc.array(fc.nat(skewBoundMs), { minLength: 7, maxLength: 7 }),
  startMs: fc.nat(999),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/** A process: while it is paused, nothing that it waits for comes back to it. One that crashed is paused for ever. */
class Process {
  readonly election: Election
  busy = false
  led: Leadership | undefined
  #resume: (() => void) | undefined
  #paused: Promise<void> | undefined

  constructor(clock: FakeClock, store: MemoryLeaseStore, terms: MemoryTermStore) {
    const sleep = async (ms: number, signal?: AbortSignal) => {
      await clock.sleep(ms, signal)
      await this.#running()
    }
    const deps = { clock, timer: timerOver(sleep), random: () => 0.5, settleMs: 3_000 }
    const leases = new Leases({ store: this.#gated(store), ...deps, maxClockSkewMs: skewBoundMs })
    const stored = new StoredTerms({ store: this.#gated(terms), ...deps })
    this.election = new Election({ leases, group: 'job', terms: stored })
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  goOn(): void {
    this.#paused = undefined
    this.#resume?.()
  }

  async #running(): Promise<void> {
    while (this.#paused !== undefined) await this.#paused
  }

  /** The same store, whose answers wait until the process runs. */
  #gated<S extends object>(store: S): S {
    return new Proxy(store, {
      get: (target, key) => {
        const member = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          try {
            return await member.apply(target, args)
          } finally {
            await this.#running()
          }
        }
      },
    })
  }
}

/** What a schedule showed. `wrong`: undefined: nothing. `believeMs`: how much longer than allowed leaders believe. */
async function played(input: Schedule, believeMs = 0): Promise<{ wrong: string | undefined; led: number }> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1) + input.startMs)
  const store = new MemoryLeaseStore(clock)
  const terms = new MemoryTermStore(clock)
  let statements = 0
  let renewals = 0
  const nextFault = () => input.faults[statements++ % input.faults.length]
  store.fault = (kind) => {
    if (kind === 'hint') return undefined
    return kind === 'renew' ? input.renewalFaults[renewals++ % input.renewalFaults.length] : nextFault()
  }
  terms.fault = nextFault
  store.skewMs = () => input.skews[statements % input.skews.length] as number
  const start = () => new Process(clock, store, terms)
  const all = Array.from({ length: processes }, start)
  /** Handed out and not resigned; those of crashed processes too. */
  const leaderships = new Set<Leadership>()
  let led = 0
  let last: { term: bigint; token: bigint } = { term: 0n, token: 0n }
  let wrong: string | undefined
  let unexpected: unknown

  const campaign = async (process: Process) => {
    const leadership = await process.election.campaign({ ttlSeconds: 6, waitMs: 8_000 })
    led++
    process.led = leadership
    leaderships.add(leadership)
    const [term, token] = [leadership.term as bigint, leadership.token]
    if (term <= last.term || token <= last.token)
      wrong ??= `term ${term} token ${token} after term ${last.term} token ${last.token}`
    last = { term, token }
  }
  const resign = async (process: Process) => {
    const leadership = process.led as Leadership
    process.led = undefined
    leaderships.delete(leadership)
    await leadership.resign()
  }
  const run = (process: Process, work: Promise<void>) => {
    const expected = ['lease-held', 'lease-lost', 'outcome-unknown', 'store-unavailable'] as const
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
    const nowMs = clock.now().monotonicMs
    // `held` is asked too: it must not outlive the deadline.
    const believers = [...leaderships].filter((l) => l.held || l.deadlineMs + believeMs > nowMs)
    if (believers.length > 1) wrong ??= `two leaders: ${believers.map(({ owner }) => owner).join(', ')}`
  }

  for (const { who, what, thenMs } of input.moves) {
    const process = all[who] as Process
    if (what === 'pause') process.pause()
    if (what === 'go on') process.goOn()
    if (what === 'crash') {
      process.pause()
      all[who] = start()
    }
    if (!process.busy && what === 'campaign' && !process.led?.held) run(process, campaign(process))
    if (!process.busy && what === 'resign' && process.led !== undefined) run(process, resign(process))
    // Looked at twice: right after the answers, and when time has passed.
    await clock.advance(0)
    look()
    await clock.advance(thenMs)
    look()
    if (unexpected !== undefined) throw unexpected
    if (wrong !== undefined) return { wrong, led }
  }
  // What is still under way may land late.
  await clock.advance(26_000)
  look()
  terms.history.reduce(
    (before, next) => {
      if (next.term !== before.term + 1n || next.token <= before.token)
        wrong ??= `term ${next.term} token ${next.token} written after ${before.term} ${before.token}`
      return next
    },
    { term: 0n, token: 0n } as { term: bigint; token: bigint },
  )
  return { wrong, led }
}

const runs = { seed: 20261121, numRuns: schedules(2_000), endOnFailure: true }

it(`no two leaders before their deadlines, and terms grow with tokens, in ${runs.numRuns} schedules`, async () => {
  let led = 0
  await fc.assert(
    fc.asyncProperty(schedule, async (input) => {
      const result = await played(input)
      led += result.led
      expect(result.wrong).toBeUndefined()
    }),
    runs,
  )
  // The schedules show something: most of them have leaders, and one after another.
  expect(led).toBeGreaterThan(runs.numRuns)
})

it('would be noticed: leaders who believe one second longer are found out', async () => {
  const result = await fc.check(
    fc.asyncProperty(schedule, async (input) => (await played(input, 1_000)).wrong === undefined),
    { ...runs, numRuns: 2_000 },
  )
  expect(result.failed).toBe(true)
})
