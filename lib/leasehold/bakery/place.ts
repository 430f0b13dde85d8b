/**
 * A customer's number, rewritten again and again while the customer waits or is served, so that it stays visible.
 *
 * Guarantees: from the deadline on, `held` is false, and `signal` is aborted for a caller that reads it. The deadline
 * is a whole second and maxClockSkew before any coordinator stops showing the number. It counts from the moment before
 * the last write that was acknowledged in time was sent.
 * Does not guarantee: that a timer fires in time. After a suspend, `held` and `throwIfLost` show the loss first.
 * Tuned by: the TTL. A third of the window passes between two writes, as between renewals (`lease/kept/keep-alive.ts`).
 */
import { LeaseLostError, type LossReason } from '../lease/index.ts'
import {
  type Deadline,
  deadlineOf,
  elapsedMs,
  lookAtClocksEveryMs,
  type Moment,
  tenureMs,
  untilDeadlineMs,
} from '../time/index.ts'
import { mayPass } from './bounded-retry.ts'
import type { Counter } from './counter.ts'
import type { Numbered } from './registers.ts'

/** The pause after a write that was not acknowledged, in milliseconds. */
const retryMs = 100

/** A customer's place in the line, as its work sees it. */
export interface BakeryTurn {
  /** Not a fencing token: numbers begin at 1 again whenever the bakery is empty. */
  readonly number: bigint
  /** Whether the work may rely on the turn at this moment; looks at the clock. */
  readonly held: boolean
  /** Milliseconds until the deadline, which moves on with every rewriting; 0 when the turn is lost. */
  readonly remainingMs: number
  /** @throws LeaseLostError */
  throwIfLost(): void
}

export class Place implements BakeryTurn, Numbered {
  readonly number: bigint
  readonly #counter: Counter
  readonly #abort = new AbortController()
  #deadline: Deadline

  /** @param sent when the acknowledged write of the number was sent */
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

  /** Ends the place. The first reason counts. */
  lose(reason: LossReason): void {
    if (!this.#abort.signal.aborted)
      this.#abort.abort(new LeaseLostError(this.#counter.name, this.customer, reason, null))
  }

  /**
   * Clears the number, again and again until a quorum acknowledges it or the number has expired. A write of the number
   * that is still under way has a smaller timestamp, and loses. After an error that no retry mends (a closed session, a
   * refusal) the number stays, and expires by itself: the others wait for it for the rest of its TTL. Never throws.
   */
  async leave(): Promise<void> {
    this.lose('released')
    const { registers, timer } = this.#counter
    do {
      try {
        await registers.clearNumber(this.#counter.register())
        return
      } catch (thrown) {
        if (!mayPass(thrown)) return
        await timer.sleep(Math.min(retryMs, Math.max(0, this.#leftMs())))
      }
    } while (this.#leftMs() > 0)
  }

  /** Aborts the signal at the deadline, also while a write waits for its answer. */
  async #watch(): Promise<void> {
    while (!this.#look().aborted) {
      const ms = Math.min(lookAtClocksEveryMs, this.#leftMs())
      await this.#counter.timer.sleep(Math.max(1, ms), this.#abort.signal)
    }
  }

  /** By the clock that shows more time, as the deadline counts: a suspend brings the next write forward, too. */
  async #pause(ms: number): Promise<void> {
    const { clock, timer } = this.#counter
    const began = clock.now()
    for (;;) {
      const leftMs = ms - elapsedMs(began, clock.now())
      if (leftMs <= 0 || this.#abort.signal.aborted) return
      await timer.sleep(Math.min(lookAtClocksEveryMs, leftMs), this.#abort.signal)
    }
  }

  async #keepWriting(): Promise<void> {
    const { registers, clock, random, ttlSeconds, maxClockSkewMs } = this.#counter
    const thirdMs = tenureMs(ttlSeconds, maxClockSkewMs) / 3
    let pauseMs = thirdMs
    for (;;) {
      await this.#pause(pauseMs * (0.9 + 0.2 * random()))
      if (this.#look().aborted) return
      const sent = clock.now()
      try {
        await registers.setNumber(this.#counter.register(), this.number, ttlSeconds)
        // After the deadline the number may have been invisible for a moment: the place stays lost.
        if (!this.#look().aborted) this.#deadline = this.#deadlineOf(sent)
        pauseMs = thirdMs
      } catch {
        // Tries again after any error: the deadline ends it.
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
