/**
 * How many plans of forced releases one person may make. Each is an entry of the chain `main`, which is kept for ever, and
 * an operator may plan without elevation: without a limit one operator could fill the log with 600 entries a second.
 *
 * Guarantees: in ten minutes, on one instance, 600 plans of one person and 2,400 of all people. A day of them is at most
 * 345,600 entries, some 300 MB; of one person 86,400. A script that releases a lease a second is within it.
 */
import type { Clock } from 'leasehold/time'
import { tooManyRequests } from '../../http/limits/request-limits.ts'
import { Sampler } from '../../http/limits/sampler.ts'

export const plansShare = { windowMs: 600_000, perKey: 600, total: 2_400 }

export class PlanLimit {
  readonly #plans: Sampler

  constructor(clock: Clock) {
    this.#plans = new Sampler(clock, plansShare)
  }

  /** Counts one plan. @throws HttpProblem too-many-requests */
  take(username: string): void {
    if (this.#plans.admit(username) !== null) return
    throw tooManyRequests(
      `Too many release plans: ${plansShare.perKey} by one person, or ${plansShare.total} by all people, in ten minutes. Nothing was planned. Try again later.`,
      this.#plans.leftMs,
    )
  }
}
