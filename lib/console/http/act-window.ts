import { type Clock, elapsedMs, type Moment } from 'leasehold/time'
import { HttpProblem } from './http-problem.ts'

/**
 * How long after a request was permitted its act is sent at the latest, in milliseconds. Shorter than the time after which the
 * recovery looks for the outcome (`graceMs`), so that no act follows an entry that says it was not done.
 */
export const actAfterPermitMs = 30_000

/**
 * The time in which a permitted act may be sent. The router opens it before it looks the sender up, and the handler gets it with the
 * request: a process that is stopped, or whose machine is suspended, would act on a decision that is minutes old.
 * Does not guarantee: that the process is not stopped between the look at the clock and the send.
 */
export class ActWindow {
  readonly #clock: Clock
  #permitted: Moment

  constructor(clock: Clock) {
    this.#clock = clock
    this.#permitted = clock.now()
  }

  /** Looks the sender up again: what was permitted then counts from the beginning of that look. @throws what `permit` throws */
  async openAgain<T>(permit: () => Promise<T>): Promise<T> {
    const permitted = this.#clock.now()
    const sender = await permit()
    this.#permitted = permitted
    return sender
  }

  /** Call it right before the act is sent. @throws HttpProblem too-late: nothing was sent */
  throwIfOver(): void {
    // By the larger of both clocks: the monotonic one stands still while a machine is suspended.
    const sinceMs = elapsedMs(this.#permitted, this.#clock.now())
    if (sinceMs <= actAfterPermitMs) return
    throw new HttpProblem(
      'too-late',
      `Nothing was done: the request was permitted ${Math.round(sinceMs / 1000)} s ago, and ${actAfterPermitMs / 1000} s are allowed. The console was stopped meanwhile, or Cassandra was slow. Look again, then repeat the request.`,
    )
  }
}
