/**
 * Terms that a server counts.
 *
 * Guarantees: those of `election/terms.ts`, which the server runs.
 * Does not guarantee: that `last` shows the term of a leader that is gone. The API shows the present leader's term
 * alone; `last` is null during a vacancy, and for a leader without a term.
 */

import type { Term, Terms, TermTenure } from '../election/index.ts'
import {
  defaultSettleMs,
  LeaseLostError,
  OutcomeEngine,
  OutcomeUnknownError,
  StatementUnknownError,
  StoreUnavailableError,
  type Verdict,
} from '../lease/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../time/index.ts'
import { asFields, bigintOf, instantOf, textOf } from './json.ts'
import type { LeaseholdServer, ServerAnswer } from './server.ts'

export interface HttpTermsOptions {
  server: LeaseholdServer
  /** How long to retry after lost answers, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
  telemetry?: Telemetry | undefined
}

const timeoutMs = 30_000

/**
 * @example
 * const leases = new Leases({ store: new HttpLeaseStore(server) })
 * const election = new Election({ leases, group: 'billing/leader', terms: new HttpTerms({ server }) })
 */
export class HttpTerms implements Terms {
  readonly #server: LeaseholdServer
  readonly #engine: OutcomeEngine

  constructor({ server, ...rest }: HttpTermsOptions) {
    const {
      settleMs = defaultSettleMs,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
      telemetry,
    } = rest
    this.#server = server
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry })
  }

  async begin(tenure: TermTenure, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Term> {
    return this.#engine.background.perform((left) => this.#begin(tenure, left), { signal })
  }

  #begin(tenure: TermTenure, abandoned: AbortSignal): Promise<Term> {
    const { name, owner } = tenure
    const text = JSON.stringify(name)
    return this.#engine.settle<Term>(
      {
        name: 'term',
        send: () => this.#campaign(tenure),
        // For the same tenure the server answers with the same term again.
        lost: () => ({ next: 'send' }),
        ridesOutUnavailable: true,
        unknown: (_, cause) =>
          new OutcomeUnknownError(
            `No answer came for the term of ${text}: it may have begun, or may yet begin.`,
            name,
            owner,
            { cause },
          ),
        exhausted: (cause) =>
          new StoreUnavailableError(`No term of ${text} could be begun within ${this.#engine.settleMs} ms.`, {
            cause,
          }),
      },
      { abandoned },
    )
  }

  async last(group: string): Promise<Term | null> {
    const server = this.#server
    const answer = await server.ask({ method: 'GET', path: ['elections', group], timeoutMs })
    if (answer.status !== 200) throw server.refusal('GET', answer)
    const leader = textOf(answer.body.leader)
    return leader === null ? null : termOf(answer, leader, bigintOf(answer.body.token))
  }

  /** The holder campaigns with its token, and so begins the term of that tenure. */
  async #campaign({ name: group, owner, token, ttlSeconds }: TermTenure): Promise<Verdict<Term>> {
    const server = this.#server
    // The campaign renews the lease too: give it the lease's own TTL. Its value stays.
    const answer = await server.ask({
      method: 'POST',
      path: ['elections', group],
      body: { owner, token: token.toString(), renewOnly: true, ttlSeconds },
      timeoutMs,
    })
    if (answer.code === 'not-holder' || answer.code === 'not-held')
      return {
        fail: new LeaseLostError(group, owner, 'not-holder', textOf(asFields(answer.body.holder).owner)),
      }
    // A later leader's term has begun.
    if (answer.code === 'lock-held') return { fail: new LeaseLostError(group, owner, 'superseded', null) }
    if (answer.status !== 200) throw server.refusal('POST', answer)
    const term = termOf(answer, owner, token)
    if (term === null)
      // It may have begun the term all the same.
      throw new StatementUnknownError('The server answered with something other than a term.', 'never')
    return { done: term }
  }
}

function termOf({ body }: ServerAnswer, leader: string, token: bigint | null): Term | null {
  const term = bigintOf(body.term)
  const sinceMs = instantOf(body.since)
  return term === null || token === null || sinceMs === null ? null : { term, leader, token, sinceMs }
}
