import { StatementUnknownError } from 'leasehold/lease'
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
 * Does not guarantee: that the process is not stopped between the look at the clock and the send. `ActSends` looks before each send.
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

  get isOver(): boolean {
    return this.#sinceMs() > actAfterPermitMs
  }

  /** Call it right before the act is sent. @throws HttpProblem too-late: nothing was sent */
  throwIfOver(): void {
    if (!this.isOver) return
    throw new HttpProblem(
      'too-late',
      `Nothing was done: ${this.#grownOld()} Look again, then repeat the request.`,
    )
  }

  /** As `throwIfOver`, once a statement of the act was sent. @throws StatementUnknownError */
  throwIfOverMidway(): void {
    if (!this.isOver) return
    throw new StatementUnknownError(
      `It is not known whether all of it was done, and no more is sent: ${this.#grownOld()} Look before you try again.`,
      'never',
    )
  }

  /** By the larger of both clocks: the monotonic one stands still while a machine is suspended. */
  #sinceMs(): number {
    return elapsedMs(this.#permitted, this.#clock.now())
  }

  #grownOld(): string {
    return `the request was permitted ${Math.round(this.#sinceMs() / 1000)} s ago, and ${actAfterPermitMs / 1000} s are allowed. The console was stopped meanwhile, or Cassandra was slow.`
  }
}

/**
 * Called right before each statement of an act that writes: the first, and each one that is sent again after a lost answer.
 * @throws HttpProblem too-late: nothing was sent; StatementUnknownError: an earlier statement may have taken effect
 */
export type BeforeSend = () => void

/** For writes that no request decided. */
export const anyTime: BeforeSend = () => {}

/** The statements of one act, each within its window. */
export class ActSends {
  readonly #window: ActWindow
  #isSent = false

  constructor(window: ActWindow) {
    this.#window = window
  }

  readonly beforeSend: BeforeSend = () => {
    if (this.#isSent) this.#window.throwIfOverMidway()
    else this.#window.throwIfOver()
    this.#isSent = true
  }

  /** For an operation of the library: it sends its first statement at once, and asks before each later one. */
  readonly mayResend = (): boolean => !this.#window.isOver
}
