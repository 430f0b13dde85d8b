/**
 * The clock by which a page dates what it reads, and shows ages, countdowns and the server's time. `performance.now()`, which it is made of,
 * stands still while the machine is suspended in Chromium on Linux and macOS: by that alone a row that was read an hour ago would be four
 * seconds old, and a lease that is over would have time left.
 *
 * Each look at it compares the wall clock, which goes on in a suspend. One that a person sets forward looks the same: ages are too large then,
 * until everything is read again. One that is set back changes nothing. A suspend shorter than `clocksPartMs` is not noticed.
 */
const clocksPartMs = 2000

export class PageClock {
  readonly #monotonicNow: () => number
  readonly #wallNow: () => number
  readonly #listeners = new Set<() => void>()
  /** All suspends together. */
  #suspendedMs = 0
  /** By how much the wall clock is ahead of the monotonic one. */
  #aheadMs: number
  #resumedAtMs = Number.NEGATIVE_INFINITY

  constructor(monotonicNow: () => number, wallNow: () => number) {
    this.#monotonicNow = monotonicNow
    this.#wallNow = wallNow
    this.#aheadMs = wallNow() - monotonicNow()
  }

  /** Milliseconds since the page began, suspends included. */
  now(): number {
    const monotonicMs = this.#monotonicNow()
    const aheadMs = this.#wallNow() - monotonicMs
    const partedMs = aheadMs - this.#aheadMs
    this.#aheadMs = aheadMs
    if (partedMs <= clocksPartMs) return monotonicMs + this.#suspendedMs
    this.#suspendedMs += partedMs
    this.#resumedAtMs = monotonicMs + this.#suspendedMs
    const listeners = [...this.#listeners]
    // Not at once: the clock is read where React renders, and there nothing may change.
    queueMicrotask(() => {
      for (const listener of listeners) if (this.#listeners.has(listener)) listener()
    })
    return this.#resumedAtMs
  }

  /** Whether the machine was suspended since this moment: what was asked for then may have been answered before the suspend or after it. */
  wasSuspendedSince(atMs: number): boolean {
    return atMs < this.#resumedAtMs
  }

  /**
   * Calls `listener` after each suspend: what is shown is from before it, and has to be read again; timers stood still as well.
   * @returns ends it
   */
  readonly onSuspend = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** When the last suspend ended, by this clock; -Infinity: there was none. Another number after each. */
  readonly resumedAtMs = (): number => this.#resumedAtMs
}

export const pageClock = new PageClock(
  () => performance.now(),
  () => Date.now(),
)

/** Now, by the page's clock. */
export const pageNow = (): number => pageClock.now()
