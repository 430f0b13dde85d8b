/**
 * Elections on leases: candidates campaign for a group, one of them leads it.
 *
 * A leader holds the lease of the group's name, which is kept alive; a term is begun before the leadership is handed
 * out, so that whoever leads has its number.
 * Guarantees: no two leaderships of one group are held at the same time, each by its holder's own clock; tokens and
 * terms grow from leader to leader.
 * Does not guarantee: that a leader which ignores its signal stops. One that was paused in the middle of a write goes
 * on with it: pass the token along, and let the store of what is written refuse an older one. Nor any order among
 * candidates: whoever comes first when the group is vacant leads it.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
 * Tuned by: the TTL; the shorter it is, the sooner a leader that died is followed by another one.
 */
import type { Lease, Leases, OnResignRequested } from '../lease/index.ts'
import { checkProclaimable, Leadership } from './leadership.ts'
import { observeGroup } from './observe.ts'
import { isLed, type Leader, leaderOf, type Sight } from './sight.ts'
import type { Term, Terms } from './terms.ts'

export interface ElectionOptions {
  leases: Leases
  /** What is led; the lease is called so. */
  group: string
  /** Counts the terms. Left out: leaders have a token, but no term. */
  terms?: Terms
}

export interface CampaignOptions {
  /** What the group is to know of its leader, up to 16 KiB: an address, mostly. */
  value?: string
  /** How long the leadership lives without a renewal, in whole seconds: 6 or more, because it is kept alive. */
  ttlSeconds?: number
  /** How long to wait for another leader to go, in milliseconds; 0: one try. Left out: for ever. */
  waitMs?: number
  /** Ends the campaign; a leadership that was handed out is not touched by it. */
  signal?: AbortSignal
  /**
   * Called once for each request to resign that is addressed to this very leadership. Left out: it resigns, its signal
   * aborted before. Whoever has to wind up first does so here, and resigns then. Needs `resignRequests` of the leases.
   */
  onResignRequested?: OnResignRequested<Leadership>
}

/**
 * @example
 * const terms = new StoredTerms({ store: new CassandraTermStore(session) })
 * const election = new Election({ leases, group: 'billing/leader', terms })
 * await using leadership = await election.campaign({ value: 'http://10.0.0.7:8080', ttlSeconds: 10 })
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
   * each with an owner id of its own; a try that took effect unheard blocks the group for one TTL at most.
   * @throws LeaseHeldError when another one leads and the waiting is over; the signal's reason; LeaseLostError when
   * the lease was lost before its term began; StoreUnavailableError, OutcomeUnknownError when the waiting is over, or
   * when no term could be begun (the lease is released then); StoreRefusedError; InvalidArgumentError
   */
  async campaign(options: CampaignOptions = {}): Promise<Leadership> {
    checkProclaimable(options.value ?? null, this.#values)
    const { waitMs = Number.POSITIVE_INFINITY, onResignRequested, ...rest } = options
    let handOut: (leadership: Leadership) => void = () => {}
    const handedOut = new Promise<Leadership>((resolve) => {
      handOut = resolve
    })
    const lease = await this.#leases.acquire(this.group, {
      ...rest,
      waitMs,
      // A request may come before the term has begun.
      ...(onResignRequested !== undefined && {
        onResignRequested: async (request) => onResignRequested(request, await handedOut),
      }),
    })
    const leadership = await this.#lead(lease, options.signal)
    handOut(leadership)
    return leadership
  }

  /** Begins a term, if they are counted. */
  async #lead(lease: Lease, signal: AbortSignal | undefined): Promise<Leadership> {
    const values = this.#values
    if (this.#terms === undefined) return new Leadership(lease, null, values)
    try {
      const { term } = await this.#begin(this.#terms, lease, signal)
      return new Leadership(lease, term, values)
    } catch (thrown) {
      // What is unknown of the release is left to the expiry: the first error is the one that tells.
      await lease.release().catch(() => {})
      throw thrown
    }
  }

  /** Who leads, confirmed at SERIAL; null: nobody. @throws StoreUnavailableError, StoreRefusedError */
  async leader(): Promise<Leader | null> {
    const view = await this.#leases.protocol.read(this.group)
    if (!isLed(view)) return null
    return leaderOf(view, (await this.#terms?.last(this.group)) ?? null)
  }

  /**
   * What is there now, then each change: another leader, a proclaimed value, a vacancy that lasted until it was seen.
   * Each was confirmed at SERIAL; mere renewals are not shown. A leader whose term has not begun is shown once it
   * has, or without it after two seconds. Goes on through the store's unavailability; ends when the loop is left, or
   * when the signal aborts: the only way to end it from outside of the loop.
   * @throws StoreRefusedError while iterating: what no retry mends
   * @example
   * for await (const sight of election.observe({ signal })) {
   *   if (sight.kind === 'leader') follow(sight.leader.value)
   * }
   */
  observe({ signal }: { signal?: AbortSignal } = {}): AsyncIterable<Sight> {
    return observeGroup(this.#leases.protocol, this.group, this.#terms, signal)
  }

  /** Whether the table has a column for what leaders proclaim. */
  get #values(): boolean {
    return this.#leases.protocol.context.store.columns.value
  }

  /** Ends with the lease: a term of a leader that leads no more is of no use. */
  async #begin(terms: Terms, lease: Lease, signal: AbortSignal | undefined): Promise<Term> {
    const { name, owner, token, ttlSeconds } = lease
    const over = new AbortController()
    const sources = [lease.signal, ...(signal === undefined ? [] : [signal])]
    const end = ({ target }: Event) => over.abort((target as AbortSignal).reason)
    // An abort that came before there was anybody to listen.
    const aborted = sources.find((source) => source.aborted)
    if (aborted !== undefined) throw aborted.reason
    for (const source of sources) source.addEventListener('abort', end, { once: true })
    const cut = new Promise<never>((_, reject) => {
      over.signal.addEventListener('abort', () => reject(over.signal.reason), { once: true })
    })
    try {
      const tenure = { name, owner, token, ttlSeconds }
      const term = await Promise.race([terms.begin(tenure, { signal: over.signal }), cut])
      lease.throwIfLost()
      signal?.throwIfAborted()
      return term
    } finally {
      for (const source of sources) source.removeEventListener('abort', end)
    }
  }
}
