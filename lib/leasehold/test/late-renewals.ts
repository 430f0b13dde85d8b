/** For property tests: renewals that begin early and are applied late, and what a holder would believe who ignored them. */
import fc from 'fast-check'
import type { CasAnswer } from '../lease/index.ts'
import type { Delay, FakeClock, Fault, MemoryLeaseStore } from '../testing/index.ts'
import { type Deadline, deadlineOf, untilDeadlineMs } from '../time/index.ts'

/** For how long a conditional write contends at most, under Paxos v2. */
const contentionLimitMs = 2_000

export const delay: fc.Arbitrary<Delay> = fc.record({
  kind: fc.constant('delayed' as const),
  queuedMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(1_500) },
    { weight: 1, arbitrary: fc.nat(25_000) },
  ),
  // Mostly longer than a renewal is waited for: it is given up, and sent again.
  contendedMs: fc.oneof(
    { weight: 1, arbitrary: fc.nat(contentionLimitMs) },
    { weight: 3, arbitrary: fc.integer({ min: 1_000, max: contentionLimitMs }) },
  ),
  answerMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(800) }),
  breaks: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

const fault: fc.Arbitrary<Fault | Delay | undefined> = fc.oneof(
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
  { weight: 1, arbitrary: delay },
)

/** The store's part of a schedule: what statements meet, and their coordinators' clocks. */
export const weather = (skewBoundMs: number) =>
  fc.record({
    faults: fc.array(fault, { minLength: 20, maxLength: 20 }),
    // Renewals are what begins early and is applied late: they do so more often than the rest.
    renewalFaults: fc.array(fc.oneof({ weight: 1, arbitrary: fault }, { weight: 1, arbitrary: delay }), {
      minLength: 11,
      maxLength: 11,
    }),
    skews: fc.array(fc.oneof(fc.constantFrom(0, skewBoundMs), fc.nat(skewBoundMs)), {
      minLength: 7,
      maxLength: 7,
    }),
  })
type Weather = ReturnType<typeof weather> extends fc.Arbitrary<infer T> ? T : never

export function expose(store: MemoryLeaseStore, { faults, renewalFaults, skews }: Weather): void {
  let statements = 0
  let renewals = 0
  store.fault = (kind) => {
    const next = faults[statements++ % faults.length]
    return kind === 'renew' ? renewalFaults[renewals++ % renewalFaults.length] : next
  }
  store.skewMs = () => skews[statements % skews.length] as number
}

/** What holders believe: what the library says, that for a while longer, or what the last send alone would say. */
export type Belief = { kind: 'as-said' } | { kind: 'longer'; byMs: number } | { kind: 'last-send' }

/**
 * The deadlines that count from the last send whose answer was *applied*, whatever else was sent: computed from what
 * passes, not from what the library says.
 */
export class LastSends {
  readonly #clock: FakeClock
  readonly #deadlines = new Map<string, Deadline>()
  readonly #timing: { ttlSeconds: number; maxClockSkewMs: number }

  constructor(
    store: MemoryLeaseStore,
    clock: FakeClock,
    timing: { ttlSeconds: number; maxClockSkewMs: number },
  ) {
    this.#clock = clock
    this.#timing = timing
    const { acquire, renew } = store
    store.acquire = (write) => this.#observe(write.owner, () => acquire.call(store, write))
    store.renew = (write) => this.#observe(write.owner, () => renew.call(store, write))
  }

  /** Whether a holder who counts from its last send relies on its lease at this moment. */
  relies(owner: string): boolean {
    const deadline = this.#deadlines.get(owner)
    return deadline !== undefined && untilDeadlineMs(deadline, this.#clock.now()) > 0
  }

  async #observe(owner: string, send: () => Promise<CasAnswer>): Promise<CasAnswer> {
    const sent = this.#clock.now()
    const answer = await send()
    const beforeMs = this.#deadlines.get(owner)?.from.monotonicMs ?? Number.NEGATIVE_INFINITY
    const { ttlSeconds, maxClockSkewMs } = this.#timing
    if (answer.applied && sent.monotonicMs > beforeMs)
      this.#deadlines.set(owner, deadlineOf(sent, ttlSeconds, maxClockSkewMs))
    return answer
  }
}
