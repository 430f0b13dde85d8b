/** The time of a run in the browser, which runs on the page's clock. */

export interface RunClock {
  /** When the run began, on the browser’s monotonic clock. */
  readonly zeroMs: number
  /** The run has ended, or a time in its past is shown: the present stands still. null: it runs. */
  readonly stoppedAtMs: number | null
}

/** @param browserMs of the page's clock */
export const runNow = ({ zeroMs, stoppedAtMs }: RunClock, browserMs: number): number =>
  stoppedAtMs ?? browserMs - zeroMs

/**
 * A clock from an answer that says what time of the run it was written at. Each answer is late by its time on the network,
 * so that of several the earliest beginning is the best estimate.
 */
export function clockFrom(before: RunClock | null, nowMs: number, arrivedAtMs: number): RunClock {
  const zeroMs = arrivedAtMs - nowMs
  if (before !== null && before.zeroMs <= zeroMs) return before
  return { zeroMs, stoppedAtMs: before?.stoppedAtMs ?? null }
}
