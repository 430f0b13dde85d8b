/**
 * Work that continues without its caller.
 *
 * A statement that is under way cannot be called back, but its caller need not wait for it. `perform` returns control at
 * once when the caller's signal aborts, when closing begins, or when its time is over. What is under way goes on here, is
 * tidied up here, and is waited for when everything closes.
 *
 * Guarantees: a caller is never kept waiting for work that it has given up. After `refuse`, no `perform` begins. `drain`
 * ends within its time; after it, `stopped` asks all work to end.
 * Does not guarantee: that work ends at once; it looks at `stopped` between two steps.
 */
import { setMaxListeners } from 'node:events'
import { type Clock, elapsedMs, onAbort, type Timer } from '../../time/index.ts'
import { ClosedError } from '../errors.ts'

export interface PerformOptions<O> {
  /** Ends the caller's waiting; the caller gets its reason. */
  readonly signal?: AbortSignal | undefined
  /** After how many milliseconds the caller gets `overdue()`. */
  readonly withinMs?: number | undefined
  readonly overdue?: (() => Error) | undefined
  /** Tidies up in the background what came of it after the caller had left. Never rejects, as far as callers can tell. */
  readonly afterwards?: ((outcome: O | undefined) => Promise<void>) | undefined
}

export class Background {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #tasks = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  readonly #stopped = new AbortController()

  constructor({ clock, timer }: { clock: Clock; timer: Timer }) {
    this.#clock = clock
    this.#timer = timer
    setMaxListeners(0, this.#closing.signal, this.#stopped.signal)
  }

  /** Aborts when closing begins, with a `ClosedError`. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Aborts when what is in the background must end too. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /**
   * Runs `work` for a caller who may leave before it ends.
   * @param work gets a signal that aborts when the caller has left
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
        if (afterwards !== undefined) this.add(running.then(afterwards, () => afterwards(undefined)))
        else this.add(running)
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
  add(work: Promise<unknown>): void {
    const task = work.then(
      () => {},
      () => {},
    )
    this.#tasks.add(task)
    void task.then(() => this.#tasks.delete(task))
  }

  /**
   * Waits for `work`, but not for longer than `withinMs`: then it goes on in the background.
   * @returns undefined when it took longer
   */
  async within<T>(withinMs: number, work: Promise<T>): Promise<T | undefined> {
    this.add(work)
    let forget = () => {}
    // No signal: to make one, and to abort it, costs each `withLock` twenty microseconds of its own.
    const overdue = new Promise<undefined>((resolve) => {
      forget = this.#timer.after(withinMs, () => resolve(undefined))
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
      while (this.#tasks.size > 0) await Promise.all(this.#tasks)
    }
    const ended = new AbortController()
    await Promise.race([drained(), this.#timer.sleep(withinMs, ended.signal)])
    ended.abort()
    this.#stopped.abort(this.#closing.signal.reason)
  }

  /** Not before all of `ms` has passed: timers wait for 24.8 days at most. */
  #after(ms: number, work: () => void): () => void {
    const started = this.#clock.now()
    let cancel = () => {}
    const wait = (leftMs: number) => {
      cancel = this.#timer.after(leftMs, () => {
        const stillMs = ms - elapsedMs(started, this.#clock.now())
        if (stillMs > 0) wait(stillMs)
        else work()
      })
    }
    wait(ms)
    return () => cancel()
  }
}
