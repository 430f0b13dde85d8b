/**
 * How many plans of forced releases one person may make. Each is an entry of the chain `main`, which is kept for ever, and
 * an operator may plan without elevation: without a limit one operator could fill the log with 600 entries a second.
 *
 * Guarantees: in ten minutes, on one instance, 600 plans of one person and 2,400 of all people. A day of them is at most
 * 345,600 entries, some 300 MB; of one person 86,400. A script that releases a lease a second is within it.
 */
import type { Clock } from 'leasehold/time'
import { actsShare } from '../../audit/refusals/act-limit.ts'
import { tooManyRequests } from '../../http/limits/request-limits.ts'
import { Sampler } from '../../http/limits/sampler.ts'

export class PlanLimit {
  readonly #plans: Sampler

  constructor(clock: Clock) {
    this.#plans = new Sampler(clock, actsShare)
  }

  /** Counts one plan. @throws HttpProblem too-many-requests */
  take(username: string): void {
    if (this.#plans.admit(username) !== null) return
    throw tooManyRequests(
      `Too many release plans: ${actsShare.perKey} by one person, or ${actsShare.total} by all people, in ten minutes. Nothing was planned. Try again later.`,
      this.#plans.leftMs,
    )
  }
}
