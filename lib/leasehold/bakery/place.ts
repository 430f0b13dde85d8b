/**
 * A number that was taken, kept visible while its customer waits or is served.
 *
 * Guarantees: `held` is false, and the signal aborted when it is looked at, from the deadline on: a whole second and
 * maxClockSkew before any coordinator stops showing the number, counted from before the last write that was
 * acknowledged in time was sent.
 * Does not guarantee: that a timer fires in time. Whoever was suspended learns of it by `held` or `throwIfLost`.
 * Tuned by: the TTL. The number is written again after a third of the window, as `lease/keep-alive.ts` renews.
 */
import { LeaseLostError, type LossReason } from '../lease/index.ts'
import { type Deadline, deadlineOf, type Moment, tenureMs, untilDeadlineMs } from '../time/index.ts'
import type { Counter } from './counter.ts'
import type { Numbered } from './registers.ts'

/** After a write that was not acknowledged, until it is tried again, in milliseconds. */
const retryMs = 100

/** A customer's place in the line, as its work sees it. */
export interface BakeryTurn {
  /** Not a fencing token: numbers begin at 1 again whenever the bakery is empty. */
  readonly number: bigint
  /** Whether the turn may be relied on at this moment; looks at the clock. */
  readonly held: boolean
  /** Milliseconds until it must be considered lost, unless the number is written again; 0 when it is. */
  readonly remainingMs: number
  /** @throws LeaseLostError */
  throwIfLost(): void
}

export class Place implements BakeryTurn, Numbered {
  readonly number: bigint
  readonly #counter: Counter
  readonly #abort = new AbortController()
  #deadline: Deadline

  /** @param sent when the write of the number was sent that has been acknowledged */
  constructor(counter: Counter, number: bigint, sent: Moment) {
    this.#counter = counter
    this.number = number
    this.#deadline = this.#deadlineOf(sent)
    void this.#watch()
    void this.#keepWriting()
  }

  get customer(): string {
    return this.#counter.customer
  }

  get signal(): AbortSignal {
    return this.#look()
  }

  get held(): boolean {
    return !this.#look().aborted
  }

  get remainingMs(): number {
    return this.held ? Math.max(0, this.#leftMs()) : 0
  }

  throwIfLost(): void {
    this.#look().throwIfAborted()
  }

  /** It is over. The first reason counts. */
  lose(reason: LossReason): void {
    if (!this.#abort.signal.aborted)
      this.#abort.abort(new LeaseLostError(this.#counter.name, this.customer, reason, null))
  }

  /**
   * Gives the number back: repeated until it is acknowledged, or until the number would have gone by itself. A write
   * of the number that is still under way loses against it by its timestamp. Never throws.
   */
  async leave(): Promise<void> {
    this.lose('released')
    const { registers, timer } = this.#counter
    do {
      try {
        await registers.clearNumber(this.#counter.register())
        return
      } catch {
        await timer.sleep(Math.min(retryMs, Math.max(0, this.#leftMs())))
      }
    } while (this.#leftMs() > 0)
  }

  /** Aborts at the deadline, also while a write goes unanswered. */
  async #watch(): Promise<void> {
    while (!this.#look().aborted)
      await this.#counter.timer.sleep(Math.max(1, this.#leftMs()), this.#abort.signal)
  }

  async #keepWriting(): Promise<void> {
    const { registers, clock, timer, random, ttlSeconds, maxClockSkewMs } = this.#counter
    const thirdMs = tenureMs(ttlSeconds, maxClockSkewMs) / 3
    let pauseMs = thirdMs
    for (;;) {
      await timer.sleep(pauseMs * (0.9 + 0.2 * random()), this.#abort.signal)
      if (this.#look().aborted) return
      const sent = clock.now()
      try {
        await registers.setNumber(this.#counter.register(), this.number, ttlSeconds)
        // Acknowledged past the deadline: for a moment nobody may have seen the number. It does not come back.
        if (!this.#look().aborted) this.#deadline = this.#deadlineOf(sent)
        pauseMs = thirdMs
      } catch {
        // Whatever it was, it is tried again until the deadline, which ends it.
        pauseMs = retryMs
      }
    }
  }

  #deadlineOf(sent: Moment): Deadline {
    return deadlineOf(sent, this.#counter.ttlSeconds, this.#counter.maxClockSkewMs)
  }

  #leftMs(): number {
    return untilDeadlineMs(this.#deadline, this.#counter.clock.now())
  }

  #look(): AbortSignal {
    if (this.#leftMs() <= 0) this.lose('deadline')
    return this.#abort.signal
  }
}
