/**
 * Terms that a server counts.
 *
 * Guarantees: as `election/terms.ts`; the server does what stands there.
 * Does not guarantee: `last` to show the term of a leader that is gone: the API shows the present leader's alone, and
 * null for a vacancy, or for a leader that has begun none.
 */

import type { Term, Terms, TermTenure } from '../election/index.ts'
import {
  isLeaseholdError,
  LeaseLostError,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from '../time/index.ts'
import { asFields, bigintOf, instantOf, textOf } from './json.ts'
import type { LeaseholdServer, ServerAnswer } from './server.ts'

export interface HttpTermsOptions {
  server: LeaseholdServer
  /** For how long lost answers are pursued, in milliseconds. */
  settleMs?: number
  clock?: Clock
  timer?: Timer
  random?: () => number
}

const timeoutMs = 30_000

/**
 * @example
 * const leases = new Leases({ store: new HttpLeaseStore(server) })
 * const election = new Election({ leases, group: 'billing/leader', terms: new HttpTerms({ server }) })
 */
export class HttpTerms implements Terms {
  readonly #options: Required<HttpTermsOptions>

  constructor(options: HttpTermsOptions) {
    // Each by itself: one that is given as undefined is left out.
    const { settleMs = 20_000, clock = systemClock, timer = systemTimer, random = Math.random } = options
    this.#options = { ...options, settleMs, clock, timer, random }
  }

  async begin(tenure: TermTenure, { signal }: { signal?: AbortSignal } = {}): Promise<Term> {
    const { settleMs, clock, timer, random } = this.#options
    const started = clock.now()
    let lost: unknown
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted()
      try {
        return await this.#begin(tenure)
      } catch (thrown) {
        const unknown = isLeaseholdError(thrown, 'statement-unknown')
        if (!unknown && !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
        if (unknown) lost = thrown
        const leftMs = settleMs - elapsedMs(started, clock.now())
        if (leftMs <= 0) {
          if (lost === undefined) throw thrown
          throw new OutcomeUnknownError(
            `No answer came for ${JSON.stringify(tenure.name)}: a term may have begun, or may yet begin.`,
            tenure.name,
            tenure.owner,
            { cause: lost },
          )
        }
        await timer.sleep(Math.min(leftMs, 50 * 2 ** Math.min(tries, 5) * (0.5 + random())), signal)
      }
    }
  }

  async last(group: string): Promise<Term | null> {
    const { server } = this.#options
    const answer = await server.ask({ method: 'GET', path: ['elections', group], timeoutMs })
    if (answer.status !== 200) throw server.refusal('GET', answer)
    const leader = textOf(answer.body.leader)
    return leader === null ? null : termOf(answer, leader, bigintOf(answer.body.token))
  }

  /** A campaign of the present holder, which begins the term of the tenure that the token is of. */
  async #begin({ name: group, owner, token, ttlSeconds }: TermTenure): Promise<Term> {
    const { server } = this.#options
    // The campaign renews the lease too: for as long as it is renewed otherwise, and with the value that it has.
    const answer = await server.ask({
      method: 'POST',
      path: ['elections', group],
      body: { owner, token: token.toString(), renewOnly: true, ttlSeconds },
      timeoutMs,
    })
    if (answer.code === 'not-holder' || answer.code === 'not-held')
      throw new LeaseLostError(group, owner, 'not-holder', textOf(asFields(answer.body.holder).owner))
    // A later leader's term has begun.
    if (answer.code === 'lock-held') throw new LeaseLostError(group, owner, 'superseded', null)
    if (answer.status !== 200) throw server.refusal('POST', answer)
    const term = termOf(answer, owner, token)
    if (term === null) throw new StoreUnavailableError('What the server answered is no term.')
    return term
  }
}

function termOf({ body }: ServerAnswer, leader: string, token: bigint | null): Term | null {
  const term = bigintOf(body.term)
  const sinceMs = instantOf(body.since)
  return term === null || token === null || sinceMs === null ? null : { term, leader, token, sinceMs }
}
