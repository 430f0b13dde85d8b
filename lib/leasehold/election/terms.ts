/**
 * Terms: a leader's tenure, counted 1, 2, 3 … per group.
 *
 * The count cannot be derived from the lease: its writetime moves on with every renewal. A row of its own holds the
 * last term of a group, and a leader who has acquired the lease begins the next one:
 *
 * 1. Read the last term at SERIAL. If it has my owner id and my token, an earlier try of mine took effect: begun.
 * 2. If its token is not below mine, a later leader has begun its term: I have lost the lease.
 * 3. Write term + 1, with my owner id and token, on condition that the term is as read. Applied: begun.
 * 4. Refused, or not answered: again from 1. Not sent: again from 3. Both until `settleMs` is over.
 *
 * Guarantees: each term has one leader, no number is left out, and the token grows from term to term. A tenure begins
 * one term at most, whatever answers are lost or late: `term` only grows, so that a statement takes effect once at
 * most, however late it lands. This holds for an owner id that is used twice as well: each tenure has its own token.
 * Does not guarantee: that the leader of the last term leads at this moment: the lease decides that. That every leader
 * has a term: clients that do not know of terms begin none, nor do leaders that die first.
 * Assumes: nothing of clocks. `sinceMs` is the leader's own wall clock, for showing, never for deciding.
 */
import {
  defaultSettleMs,
  LeaseLostError,
  OutcomeEngine,
  OutcomeUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../time/index.ts'

/** One leader's tenure. */
export interface Term {
  /** 1, 2, 3 … per group. */
  readonly term: bigint
  /** The leader's owner id. */
  readonly leader: string
  /** The leader's fencing token. */
  readonly token: bigint
  /** When it began, by the leader's wall clock, in milliseconds since the epoch. */
  readonly sinceMs: number
}

/** Whose term is to begin: a lease that is held. */
export interface TermTenure {
  /** The group. */
  readonly name: string
  /** Unique to this acquisition. */
  readonly owner: string
  readonly token: bigint
  /**
   * What its holder renews it for, in seconds. A server renews the lease on the way; for less than this, the row would
   * be gone before the holder's deadline. What can be read of a TTL is not exact enough.
   */
  readonly ttlSeconds: number
}

/** Where terms are counted: a table (`StoredTerms`), or a server that has one. */
export interface Terms {
  /**
   * Begins the next term of the group `tenure.name`; asked again for the same tenure, it is the same term.
   * @param options.signal ends the trying; the term may then have begun
   * @param options.ownerIsUnique the owner id has one tenure: its last term is that tenure's, whatever token is named here.
   * For a server, which cannot tell from the lease whether the token that a caller names is the tenure's.
   * @throws LeaseLostError when a later leader's term has begun, StoreUnavailableError, OutcomeUnknownError, the
   * signal's reason
   */
  begin(tenure: TermTenure, options?: BeginOptions): Promise<Term>
  /** The last term that has begun, confirmed; null: none yet. @throws StoreUnavailableError */
  last(group: string): Promise<Term | null>
}

interface BeginOptions {
  signal?: AbortSignal | undefined
  ownerIsUnique?: boolean | undefined
}

/** The first pause after contention, in milliseconds. Short: each contender needs the row for a moment only. */
const contendedPauseMs = 5
/** The column is a bigint, which begins below zero after it. */
const lastTerm = 2n ** 63n - 1n

/** What terms need of a store; it throws the errors of a `LeaseStore`. */
export interface TermStore {
  /** At SERIAL; null: no term has begun. */
  read(group: string): Promise<Term | null>
  /** Writes `next`, `IF term = from` or `IF term = null`. */
  begin(group: string, from: bigint | null, next: Term): Promise<TermAnswer>
}

/** `found`: the term that the row has instead; null: none. */
export type TermAnswer = { applied: true } | { applied: false; found: bigint | null }

export interface StoredTermsOptions {
  store: TermStore
  /** How long to retry after contention and lost answers, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
  telemetry?: Telemetry | undefined
}

/**
 * @example
 * const terms = new StoredTerms({ store: new CassandraTermStore(session) })
 * const election = new Election({ leases, group: 'billing/leader', terms })
 */
export class StoredTerms implements Terms {
  readonly #store: TermStore
  readonly #engine: OutcomeEngine

  constructor({ store, ...rest }: StoredTermsOptions) {
    const {
      settleMs = defaultSettleMs,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
      telemetry,
    } = rest
    this.#store = store
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry })
  }

  async begin(tenure: TermTenure, { signal, ownerIsUnique = false }: BeginOptions = {}): Promise<Term> {
    return this.#engine.background.perform((left) => this.#begin(tenure, ownerIsUnique, left), { signal })
  }

  #begin(
    { name: group, owner, token }: TermTenure,
    ownerIsUnique: boolean,
    abandoned: AbortSignal,
  ): Promise<Term> {
    const store = this.#store
    // The time of the first try, whichever try is applied.
    const sinceMs = this.#engine.clock.now().wallMs
    const text = JSON.stringify(group)
    let last: Term | null = null
    return this.#engine.settle<Term>(
      {
        name: 'term',
        first: 'look',
        async look() {
          last = await store.read(group)
          if (last?.leader === owner && (ownerIsUnique || last.token === token)) return { done: last }
          if (last !== null && last.token >= token)
            return { fail: new LeaseLostError(group, owner, 'superseded', last.leader) }
          return { next: 'send', soon: true }
        },
        async send() {
          if (last !== null && last.term >= lastTerm)
            return { fail: new StoreRefusedError(`${text} has had the last term that its row can hold.`) }
          const next = { term: (last?.term ?? 0n) + 1n, leader: owner, token, sinceMs }
          const answer = await store.begin(group, last?.term ?? null, next)
          return answer.applied ? { done: next } : { next: 'look' }
        },
        lost: () => ({ next: 'look' }),
        ridesOutUnavailable: true,
        unknown: (_, cause) =>
          new OutcomeUnknownError(
            `No answer came for the term of ${text}: it may have begun, or may yet begin.`,
            group,
            owner,
            { cause },
          ),
        exhausted: (cause) =>
          new StoreUnavailableError(`No term of ${text} could be begun within ${this.#engine.settleMs} ms.`, {
            cause,
          }),
      },
      { firstPauseMs: contendedPauseMs, abandoned },
    )
  }

  async last(group: string): Promise<Term | null> {
    return this.#store.read(group)
  }
}
