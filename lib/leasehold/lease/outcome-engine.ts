/**
 * The engine for statements whose outcome may be unknown. Every conditional write of this library runs on it.
 *
 * A conditional write has three answers: applied, not applied, and none. None is the normal case: a time-out, a broken
 * socket, a contended round. The write may then have been applied, or may be applied half a minute later. What to do
 * about that is always the same, and stands here once:
 *
 *   1. Send the statement. Its answer decides: done, send again, or look.
 *   2. No answer: the operation says whether to look or to send again. It may send again only what cannot do harm twice.
 *   3. Look: one SERIAL read. What it proves decides: done, send again, or look again.
 *   4. Between two steps pause, longer each time, with jitter, so that contenders who collided do not collide again.
 *   5. When the time is over, or nothing more can be found out: say that the outcome is unknown, never that it failed.
 *
 * An operation states only three things: what it sends, what a read proves, and what may be repeated.
 *
 * Callers need not wait for all of that. `perform` returns control at once when the caller's signal aborts, when the
 * engine closes, or when its time is over; what is under way goes on in the background, is tidied up there, and `close`
 * waits for it.
 *
 * Guarantees: *not applied* is said only on a server's answer. After a lost answer, no later error hides that the outcome
 * is unknown, unless a read has settled it. A caller is never kept waiting for a statement that it has given up.
 * Does not guarantee: that an outcome is found out. Safety never rests on it: it comes from conditions that match once.
 * Assumes: nothing of clocks; time measures patience alone.
 */
import { setMaxListeners } from 'node:events'
import { type Clock, elapsedMs, onAbort, type Timer } from '../time/index.ts'
import { ClosedError, InvalidArgumentError, isLeaseholdError, type StatementUnknownError } from './errors.ts'

/** What an answer or a read decides. */
export type Verdict<O> =
  | { readonly done: O }
  /** `soon`: without a pause. `settled`: the write whose answer was lost was not applied, and cannot be any more. */
  | { readonly next: 'send' | 'look'; readonly soon?: boolean; readonly settled?: boolean }
  | { readonly fail: Error }
  /** Nothing more can be found out; the reason as a sentence. */
  | { readonly unknown: string }

export interface Operation<O> {
  /** The first step; left out: send. */
  readonly first?: 'look' | undefined
  /** Sends the statement once. @returns what its answer means. @throws StatementUnknownError when no answer came */
  send(): Promise<Verdict<O>>
  /** Reads at SERIAL. @returns what the read proves */
  look?(): Promise<Verdict<O>>
  /** No answer came. */
  lost(error: StatementUnknownError): Verdict<O>
  /** A look failed; left out: look again. */
  readonly unread?: Verdict<O> | undefined
  /** Left out: a store that cannot be reached ends the operation, unless an answer was lost before. */
  readonly ridesOutUnavailable?: boolean | undefined
  /** The error for an unknown outcome, or *unknown* as an outcome. `cause`: the answer that was lost. */
  unknown(why: string, cause?: unknown): Error | { readonly done: O }
  /** The error when the time is over and no answer was lost; left out: `unknown`. */
  exhausted?(cause?: unknown): Error
}

export interface SettleOptions {
  /** How long to go on, in milliseconds; left out: the engine's `settleMs`. */
  readonly budgetMs?: number | undefined
  /** The first pause, in milliseconds; it doubles up to half a second. */
  readonly firstPauseMs?: number | undefined
  /** Nobody waits for the outcome any more: no further step begins. */
  readonly abandoned?: AbortSignal | undefined
}

export interface PerformOptions<O> {
  /** Ends the caller's waiting; the caller gets its reason. */
  readonly signal?: AbortSignal | undefined
  /** After how many milliseconds the caller gets `overdue()`. */
  readonly withinMs?: number | undefined
  readonly overdue?: (() => Error) | undefined
  /** Tidies up in the background what came of it after the caller had left. Never rejects, as far as callers can tell. */
  readonly afterwards?: ((outcome: O | undefined) => Promise<void>) | undefined
}

export interface EngineOptions {
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  /** For how long lost answers are pursued, in milliseconds. */
  readonly settleMs: number
}

/** How long a lost answer is pursued unless configured, in milliseconds. */
export const defaultSettleMs = 20_000
const firstPauseMs = 20
const longestPauseMs = 500

export class OutcomeEngine {
  readonly clock: Clock
  readonly timer: Timer
  readonly settleMs: number
  readonly #random: () => number
  readonly #background = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  readonly #stopped = new AbortController()

  /** @throws InvalidArgumentError on a `settleMs` that is no time */
  constructor({ clock, timer, random, settleMs }: EngineOptions) {
    if (!(Number.isFinite(settleMs) && settleMs >= 0))
      throw new InvalidArgumentError(`settleMs is ${settleMs}; 0 or more milliseconds are expected.`)
    this.clock = clock
    this.timer = timer
    this.settleMs = settleMs
    this.#random = random
    setMaxListeners(0, this.#closing.signal, this.#stopped.signal)
  }

  /** Aborts when the engine begins to close, with a `ClosedError`. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Aborts when what is in the background must end too. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** Runs one operation to its outcome. @throws the reason of `abandoned` when it has aborted before the first step */
  async settle<O>(operation: Operation<O>, options: SettleOptions = {}): Promise<O> {
    const { budgetMs = this.settleMs, abandoned } = options
    abandoned?.throwIfAborted()
    const started = this.clock.now()
    const leftMs = () => budgetMs - elapsedMs(started, this.clock.now())
    let lost: unknown
    let failed: unknown
    const unknown = (why: string, cause: unknown): O => {
      const end = operation.unknown(why, cause)
      if (end instanceof Error) throw end
      return end.done
    }
    let step: 'send' | 'look' = operation.first ?? 'send'
    for (let round = 0; ; round++) {
      let verdict: Verdict<O>
      try {
        verdict =
          step === 'send' ? await operation.send() : await (operation.look as () => Promise<Verdict<O>>)()
      } catch (thrown) {
        failed = thrown
        if (isLeaseholdError(thrown, 'statement-unknown')) {
          lost = thrown
          verdict = operation.lost(thrown)
        } else if (isLeaseholdError(thrown, 'store-unavailable') && step === 'look' && lost !== undefined) {
          verdict = operation.unread ?? { next: 'look' }
        } else if (isLeaseholdError(thrown, 'store-unavailable')) {
          if (lost === undefined && operation.ridesOutUnavailable !== true) throw thrown
          verdict = { next: step }
        } else if (lost === undefined) throw thrown
        else return unknown('no later answer tells.', thrown)
      }
      if ('done' in verdict) return verdict.done
      if ('fail' in verdict) throw verdict.fail
      if ('unknown' in verdict) return unknown(verdict.unknown, lost)
      step = verdict.next
      if (verdict.settled === true) lost = undefined
      if (verdict.soon !== true) await this.#pause(round, leftMs(), options)
      const over = verdict.soon !== true && leftMs() <= 0
      if (over || abandoned?.aborted || this.#stopped.signal.aborted) {
        if (lost === undefined && operation.exhausted !== undefined) throw operation.exhausted(failed)
        return unknown('no answer came.', lost)
      }
    }
  }

  /**
   * Runs `work` for a caller who may leave before it ends.
   * @param work is told by its signal that the caller has left
   * @throws what `work` throws; the signal's reason; ClosedError; `overdue()`
   */
  async perform<O>(work: (left: AbortSignal) => Promise<O>, options: PerformOptions<O> = {}): Promise<O> {
    const { signal, withinMs, overdue, afterwards } = options
    this.#closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    const left = new AbortController()
    const running = work(left.signal)
    return new Promise<O>((resolve, reject) => {
      const waits: (() => void)[] = []
      let waiting = true
      const end = () => {
        waiting = false
        for (const forget of waits) forget()
      }
      const leave = (reason: unknown) => {
        if (!waiting) return
        end()
        left.abort(reason)
        if (afterwards !== undefined) this.background(running.then(afterwards, () => afterwards(undefined)))
        else this.background(running)
        reject(reason)
      }
      running.then(
        (outcome) => {
          if (!waiting) return
          end()
          resolve(outcome)
        },
        (thrown) => {
          if (!waiting) return
          end()
          reject(thrown)
        },
      )
      waits.push(onAbort(this.#closing.signal, () => leave(this.#closing.signal.reason)))
      if (signal !== undefined) waits.push(onAbort(signal, () => leave(signal.reason)))
      // The work may have aborted the signal already.
      if (waiting && withinMs !== undefined && overdue !== undefined && Number.isFinite(withinMs))
        waits.push(this.#after(withinMs, () => leave(overdue())))
    })
  }

  /** Goes on with `work` for which no caller waits. What comes of it is dropped; `close` waits for it. */
  background(work: Promise<unknown>): void {
    const task = work.then(
      () => {},
      () => {},
    )
    this.#background.add(task)
    void task.then(() => this.#background.delete(task))
  }

  /**
   * Waits for `work`, but not for longer than `withinMs`: then it goes on in the background.
   * @returns undefined when it took longer
   */
  async within<T>(withinMs: number, work: Promise<T>): Promise<T | undefined> {
    this.background(work)
    let forget = () => {}
    // No signal: to make one, and to abort it, costs each `withLock` twenty microseconds of its own.
    const overdue = new Promise<undefined>((resolve) => {
      forget = this.timer.after(withinMs, () => resolve(undefined))
    })
    try {
      return await Promise.race([work, overdue])
    } finally {
      forget()
    }
  }

  /** Every waiting caller gets a `ClosedError`, and no `perform` begins any more. What is under way goes on. */
  refuse(what: string): void {
    if (!this.#closing.signal.aborted) this.#closing.abort(new ClosedError(what))
  }

  /** Waits until nothing is under way in the background, `withinMs` at most, and stops what is left. */
  async drain(withinMs: number): Promise<void> {
    const drained = async () => {
      while (this.#background.size > 0) await Promise.all(this.#background)
    }
    const ended = new AbortController()
    await Promise.race([drained(), this.timer.sleep(withinMs, ended.signal)])
    ended.abort()
    this.#stopped.abort(this.#closing.signal.reason)
  }

  /** Not before all of `ms` has passed: timers wait for 24.8 days at most. */
  #after(ms: number, work: () => void): () => void {
    const started = this.clock.now()
    let cancel = () => {}
    const wait = (leftMs: number) => {
      cancel = this.timer.after(leftMs, () => {
        const stillMs = ms - elapsedMs(started, this.clock.now())
        if (stillMs > 0) wait(stillMs)
        else work()
      })
    }
    wait(ms)
    return () => cancel()
  }

  async #pause(
    round: number,
    leftMs: number,
    { firstPauseMs: first = firstPauseMs, abandoned }: SettleOptions,
  ) {
    if (leftMs <= 0) return
    const pauseMs = Math.min(longestPauseMs, first * 2 ** Math.min(round, 10)) * (0.5 + this.#random())
    await this.timer.sleep(Math.min(pauseMs, leftMs), abandoned ?? this.#stopped.signal)
  }
}
