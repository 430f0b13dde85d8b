/**
 * The clock and the timer of one candidate of the lab, so that it can be paused, crash, and have a wrong clock, in a process that goes
 * on.
 *
 * A pause is that of a long garbage collection: the clock goes on, timers that come due wait, and so does whatever else is to run
 * in the candidate. All of it runs at the end of the pause, in its order. Of a crashed candidate nothing ever runs again.
 */
import { type Clock, type Moment, onAbort, type Timer } from 'leasehold/time'

export class CandidateTime implements Clock, Timer {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #cancels = new Set<() => void>()
  #state: 'running' | 'paused' | 'crashed' = 'running'
  #waiting: (() => void)[] = []
  #skewMs = 0

  constructor(clock: Clock, timer: Timer) {
    this.#clock = clock
    this.#timer = timer
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  get hasCrashed(): boolean {
    return this.#state === 'crashed'
  }

  get skewMs(): number {
    return this.#skewMs
  }

  now(): Moment {
    const { monotonicMs, wallMs } = this.#clock.now()
    return { monotonicMs: monotonicMs + this.#skewMs, wallMs: wallMs + this.#skewMs }
  }

  after(ms: number, work: () => void): () => void {
    let isWanted = true
    const stop = this.#timer.after(ms, () => {
      this.#cancels.delete(cancel)
      this.run(() => {
        if (isWanted) work()
      })
    })
    const cancel = () => {
      isWanted = false
      this.#cancels.delete(cancel)
      stop()
    }
    this.#cancels.add(cancel)
    return cancel
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        cancel()
        forget()
        resolve()
      }
      const cancel = this.after(ms, done)
      const forget = onAbort(signal, done)
    })
  }

  /** Runs `work` in the candidate: now, at the end of the pause, or never. */
  run(work: () => void): void {
    if (this.#state === 'running') work()
    else if (this.#state === 'paused') this.#waiting.push(work)
  }

  /** Resolves when the candidate runs. */
  running(): Promise<void> {
    return new Promise((resolve) => this.run(resolve))
  }

  /** Both clocks of the candidate run ahead by so much from now on; below 0: behind. */
  skew(ms: number): void {
    this.#skewMs = ms
  }

  pause(): void {
    if (this.#state === 'running') this.#state = 'paused'
  }

  resume(): void {
    if (this.#state !== 'paused') return
    this.#state = 'running'
    // One of them may pause it again: the rest waits on.
    while (this.#waiting.length > 0 && this.isRunning) this.#waiting.shift()?.()
  }

  /** Ends it: no timer is left, and nothing runs again. */
  crash(): void {
    this.#state = 'crashed'
    this.#waiting = []
    for (const cancel of [...this.#cancels]) cancel()
  }
}
