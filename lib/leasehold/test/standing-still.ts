/**
 * For tests that ask how soon something happens. A machine that runs several suites stops a process for seconds: what of a duration
 * was such a stop says nothing of the library.
 */
const everyMs = 20

/** Notes, from its making on, when this process stood still. Keeps no process alive. */
export class StandStills {
  readonly #stops: { fromMs: number; untilMs: number }[] = []
  #lastMs = performance.now()

  constructor() {
    setInterval(() => this.#look(), everyMs).unref()
  }

  /** For how long it has stood still since this moment of the monotonic clock, in milliseconds. */
  since(ms: number): number {
    this.#look()
    return this.#stops.reduce(
      (sum, { fromMs, untilMs }) => sum + Math.max(0, untilMs - Math.max(ms, fromMs)),
      0,
    )
  }

  /** The time since this moment of the monotonic clock, in milliseconds, without that. */
  ranSince(ms: number): number {
    const stoodMs = this.since(ms)
    return performance.now() - ms - stoodMs
  }

  #look(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastMs > everyMs) this.#stops.push({ fromMs: this.#lastMs + everyMs, untilMs: nowMs })
    this.#lastMs = nowMs
  }
}
