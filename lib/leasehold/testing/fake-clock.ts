import { type Clock, type Moment, onAbort, type Timer } from '../time/index.ts'

/**
 * A clock and its timer under a test's control. `advance` moves both clocks, and wakes sleepers in the order of their
 * times; between two of them, everything that is ready runs.
 */
export class FakeClock implements Clock, Timer {
  #monotonicMs = 0
  #wallMs: number
  #sleepers: { atMs: number; wake: () => void }[] = []

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#wallMs = startMs
  }

  now(): Moment {
    return { monotonicMs: this.#monotonicMs, wallMs: this.#wallMs }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        forget()
        resolve()
      }
      const sleeper = { atMs: this.#afterMs(ms), wake }
      const end = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        wake()
      }
      this.#sleepers.push(sleeper)
      const forget = onAbort(signal, end)
    })
  }

  after(ms: number, work: () => void): () => void {
    const sleeper = { atMs: this.#afterMs(ms), wake: work }
    this.#sleepers.push(sleeper)
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
    }
  }

  /** Lets `ms` milliseconds pass. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms
    await settled()
    for (;;) {
      const next = this.#sleepers
        .filter((sleeper) => sleeper.atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next)
      this.#move(Math.max(0, next.atMs - this.#monotonicMs))
      next.wake()
      await settled()
    }
    this.#move(untilMs - this.#monotonicMs)
    await settled()
  }

  /** Suspends the machine: the wall clock goes on, and the monotonic clock stands still, as on Linux. */
  suspend(ms: number): void {
    this.#wallMs += ms
  }

  /** Runs `work` to its end, letting time pass whenever it waits. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false
    const end = () => {
      done = true
    }
    work.then(end, end)
    await settled()
    while (!done) {
      const next = this.#sleepers.sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) await settled()
      else await this.advance(Math.max(0, next.atMs - this.#monotonicMs))
    }
    return work
  }

  /** In whole milliseconds, as timers count: a shorter wait would end before any time passes. */
  #afterMs(ms: number): number {
    return this.#monotonicMs + Math.ceil(ms)
  }

  #move(ms: number): void {
    this.#monotonicMs += ms
    this.#wallMs += ms
  }
}

/** A macrotask: after it, every promise that could settle has. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
