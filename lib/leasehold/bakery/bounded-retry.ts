import { isLeaseholdError, LeaseHeldError, StoreUnavailableError } from '../lease/index.ts'
import {
  type Clock,
  type Deadline,
  elapsedMs,
  type Moment,
  type Timer,
  untilDeadlineMs,
} from '../time/index.ts'

interface BoundedRetryOptions {
  readonly name: string
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
}

/** The pause between two reads or two tries, in milliseconds, give or take half of it. */
const pauseMs = 100

/** Whether the same statement may be answered when it is sent again. No retry mends a refusal or a closed session. */
export const mayPass = (thrown: unknown): boolean =>
  isLeaseholdError(thrown, 'store-unavailable') || isLeaseholdError(thrown, 'statement-unknown')

/**
 * Repeats plain reads and writes for as long as a caller waits. Pauses do not grow: a customer reads ten times a second
 * anyway, and plain writes do not contend. A repeated write of the bakery does no harm, so that none of them needs the
 * engine for unknown outcomes (`lease/engine/outcome-engine.ts`).
 */
export class BoundedRetry {
  readonly #options: BoundedRetryOptions
  readonly #started: Moment
  #lastError: unknown
  #ahead: string | null = null

  constructor(options: BoundedRetryOptions) {
    this.#options = options
    this.#started = options.clock.now()
  }

  /**
   * Repeats a statement until the store answers it.
   * @returns the answer, and when the try that it answers was sent; undefined when it came after `deadline`
   */
  async untilAcknowledged<T>(deadline: Deadline | undefined, statement: () => Promise<T>) {
    const { clock } = this.#options
    const late = () => deadline !== undefined && untilDeadlineMs(deadline, clock.now()) <= 0
    for (;;) {
      const sent = clock.now()
      try {
        const answer = await statement()
        this.#lastError = undefined
        return late() ? undefined : { sent, answer }
      } catch (thrown) {
        if (!mayPass(thrown)) throw thrown
        this.#lastError = thrown
      }
      if (late()) return undefined
      await this.pause()
    }
  }

  /**
   * Waits for about `pauseMs`.
   * @param ahead the customer whose turn it is, for the error
   * @throws when no time is left: LeaseHeldError, StoreUnavailableError, the signal's reason
   */
  async pause(ahead: string | null = this.#ahead): Promise<void> {
    const { name, waitMs, signal, clock, timer, random } = this.#options
    this.#ahead = ahead
    signal?.throwIfAborted()
    const leftMs = waitMs - elapsedMs(this.#started, clock.now())
    if (leftMs <= 0)
      throw this.#lastError === undefined
        ? new LeaseHeldError(name, this.#ahead)
        : new StoreUnavailableError(
            `The registers of ${JSON.stringify(name)} could not be read or written within ${waitMs} ms.`,
            { cause: this.#lastError },
          )
    await timer.sleep(Math.min(leftMs, pauseMs * (0.5 + random())), signal)
    signal?.throwIfAborted()
  }
}
