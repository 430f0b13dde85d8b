/**
 * Elections on leases: candidates campaign for a group, one of them leads it.
 *
 * A leader holds the lease of the group's name, which is kept alive; a term is begun before the leadership is handed
 * out, so that every leader has its number.
 * Guarantees: no two leaderships of one group are held at the same time, each by its holder's own clock; tokens and
 * terms grow from leader to leader.
 * Does not guarantee: that a leader which ignores its signal stops. One that was paused in the middle of a write goes
 * on with it: pass the token along, and let the store of what is written refuse an older one. Nor any order among
 * candidates: the first to come when the group is vacant leads it, unless `fair` is set.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
 * Tuned by: the TTL; the shorter it is, the sooner a leader that died is followed by another one.
 */
import { type Lease, type Leases, StoreUnavailableError, type TryOptions } from '../lease/index.ts'
import { answerWithinMs, elapsedMs } from '../time/index.ts'
import type {
  CampaignOptions,
  CampaignOutcome,
  CandidateOptions,
  LeaderWork,
  LeadOptions,
} from './candidate.ts'
import { lead } from './lead.ts'
import { Leadership } from './leadership.ts'
import { isLed, type Leader, leaderOf, type Observation } from './observation.ts'
import { observeGroup } from './observe.ts'
import type { Terms } from './terms.ts'

export interface ElectionOptions {
  leases: Leases
  /** What is led; the lease is called so. */
  group: string
  /** Counts the terms. Left out: leaders have a token, but no term. */
  terms?: Terms | undefined
}

/**
 * @example
 * const election = new Election({ leases, group: 'billing/leader', terms: session.terms })
 * await using leadership = await election.campaign({ value: 'http://10.0.0.7:8080', ttlSeconds: 15 })
 * await lead({ term: leadership.term, fence: leadership.token, signal: leadership.signal })
 */
export class Election {
  readonly group: string
  readonly #leases: Leases
  readonly #terms: Terms | undefined

  constructor({ leases, group, terms }: ElectionOptions) {
    this.group = group
    this.#leases = leases
    this.#terms = terms
  }

  /**
   * Waits until this candidate leads. As long as there is time, tries that the store left unanswered are made again,
   * each with an owner id of its own.
   * @throws LeaseHeldError when another candidate leads and `waitMs` is over; the signal's reason; ClosedError; LeaseLostError
   * when the lease was lost before its term began; StoreUnavailableError, OutcomeUnknownError when `waitMs` is over, or
   * when no term could be begun in time (the lease is released then); StoreRefusedError; InvalidArgumentError
   */
  async campaign(options: CampaignOptions = {}): Promise<Leadership> {
    const { waitMs = Number.POSITIVE_INFINITY } = options
    return this.#elect(options, waitMs, (candidate) =>
      this.#leases.acquire(this.group, { ...candidate, waitMs }),
    )
  }

  /** Tries once to lead; that another candidate leads is an outcome. @throws as `campaign`, but for LeaseHeldError */
  async tryCampaign(options: CandidateOptions = {}): Promise<CampaignOutcome> {
    let held: string | null | undefined
    const leadership = await this.#elect(options, 0, async (candidate) => {
      const outcome = await this.#leases.tryAcquire(this.group, candidate)
      if (outcome.kind === 'acquired') return outcome.lease
      held = outcome.owner
      return undefined
    })
    return leadership === undefined ? { kind: 'held', leader: held ?? null } : { kind: 'elected', leadership }
  }

  /**
   * Campaigns, runs `work` while this candidate leads, resigns, and campaigns again, until `signal` aborts. See `lead.ts` for
   * how it ends and what it rides out.
   * @throws what `work` throws of its own; LeaseHeldError when `waitMs` is over; StoreRefusedError, InvalidArgumentError
   * @example
   * await election.lead(async (leadership) => {
   *   while (!leadership.signal.aborted) await run({ signal: leadership.signal, fence: leadership.token })
   * }, { signal })
   */
  async lead(work: LeaderWork, options: LeadOptions = {}): Promise<void> {
    return lead(this, this.#leases.protocol.context, work, options)
  }

  async #elect<L extends Lease | undefined>(
    { onResignRequested, ...candidate }: CandidateOptions,
    waitMs: number,
    acquire: (candidate: TryOptions) => Promise<L>,
  ): Promise<L extends Lease ? Leadership : Leadership | undefined> {
    let handOut: (leadership: Leadership) => void = () => {}
    const handedOut = new Promise<Leadership>((resolve) => {
      handOut = resolve
    })
    const { telemetry, clock, store } = this.#leases.protocol.context
    const began = clock.now()
    const leftMs = () =>
      Math.max(0, waitMs + answerWithinMs(store.paxosVariant) - elapsedMs(began, clock.now()))
    telemetry.candidate(this.group)
    const leadership = await telemetry.step({ name: 'campaign', group: this.group }, async () => {
      const lease = await acquire({
        ...candidate,
        // A request may come before the term has begun.
        onResignRequested:
          onResignRequested && (async (request) => onResignRequested(request, await handedOut)),
      })
      return lease && (await this.#begin(lease, candidate.signal, leftMs()))
    })
    if (leadership !== undefined) {
      telemetry.elected(leadership)
      handOut(leadership)
    }
    return leadership as L extends Lease ? Leadership : Leadership | undefined
  }

  /** Begins a term, if they are counted. A lease whose term has not begun within `withinMs` is given back. */
  async #begin(lease: Lease, signal: AbortSignal | undefined, withinMs: number): Promise<Leadership> {
    const { name, owner, token, ttlSeconds } = lease
    if (this.#terms === undefined) return new Leadership(lease, null)
    const terms = this.#terms
    const { engine } = this.#leases.protocol.context
    // A term of a leader that leads no more is of no use: it ends with the lease.
    const over = signal === undefined ? lease.signal : AbortSignal.any([lease.signal, signal])
    try {
      const { term } = await engine.background.perform(
        (left) => terms.begin({ name, owner, token, ttlSeconds }, { signal: left }),
        {
          signal: over,
          withinMs,
          overdue: () =>
            new StoreUnavailableError(
              `No term of ${JSON.stringify(name)} could be begun in time: the lease is released.`,
              { mayHaveHappened: true },
            ),
        },
      )
      lease.throwIfLost()
      signal?.throwIfAborted()
      return new Leadership(lease, term)
    } catch (thrown) {
      // In the background; what is unknown of it is left to the expiry. The first error names the cause.
      void lease.release().catch(() => {})
      throw thrown
    }
  }

  /** The leader, confirmed at SERIAL; null: there is none. @throws StoreUnavailableError, StoreRefusedError */
  async leader(): Promise<Leader | null> {
    const view = await this.#leases.protocol.read(this.group)
    if (!isLed(view)) return null
    return leaderOf(view, (await this.#terms?.last(this.group)) ?? null)
  }

  /**
   * The present state, then each change: another leader, a proclaimed value, a vacancy that lasted until it was seen.
   * Each was confirmed at SERIAL; mere renewals are not shown. A leader whose term has not begun is shown once it
   * has, or without it after two seconds. Goes on through the store's unavailability; ends when the loop is left, or
   * when the signal aborts: the only way to end it from outside of the loop.
   * @throws StoreRefusedError while iterating: what no retry mends
   * @example
   * for await (const observation of election.observe({ signal })) {
   *   if (observation.kind === 'leader') follow(observation.leader.value)
   * }
   */
  observe({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncIterable<Observation> {
    return observeGroup(this.#leases.protocol, this.group, this.#terms, signal)
  }
}
