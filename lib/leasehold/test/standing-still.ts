/**
 * For tests that ask how soon something happens. A machine that runs several suites stops a process for seconds. The part of a
 * duration in which the process was stopped says nothing about the library.
 *
 * A stopped process uses no processor time. Where a timer is late because this process was at work, the library itself may have kept
 * the event loop: that is no stop.
 */
const everyMs = 20
/** A timer is late by so much on an idle machine too. */
const ignoredMs = 5

interface Readings {
  /** The monotonic clock, in milliseconds. */
  nowMs: () => number
  /** The processor time that this process has used, in milliseconds. */
  usedMs: () => number
}

const ofThisProcess: Readings = {
  nowMs: () => performance.now(),
  usedMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
}

/** Notes, from its making on, when this process stood still. Keeps no process alive. */
export class StandStills {
  readonly #readings: Readings
  readonly #stops: { fromMs: number; untilMs: number }[] = []
  #last: { nowMs: number; usedMs: number }

  constructor(readings = ofThisProcess) {
    this.#readings = readings
    this.#last = this.#read()
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

  /** The time since this moment of the monotonic clock, in milliseconds, without those stops. */
  ranSince(ms: number): number {
    const stoodMs = this.since(ms)
    return this.#readings.nowMs() - ms - stoodMs
  }

  #read() {
    return { nowMs: this.#readings.nowMs(), usedMs: this.#readings.usedMs() }
  }

  #look(): void {
    const { nowMs, usedMs } = this.#read()
    const stoodMs = nowMs - this.#last.nowMs - everyMs - (usedMs - this.#last.usedMs)
    if (stoodMs > ignoredMs) this.#stops.push({ fromMs: nowMs - stoodMs, untilMs: nowMs })
    this.#last = { nowMs, usedMs }
  }
}
