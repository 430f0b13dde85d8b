import { onAbort } from './abort.ts'

/**
 * The monotonic and the wall clock, read together.
 *
 * The monotonic clock never steps, but on Linux it stands still while the machine is suspended. The wall clock goes on
 * during a suspend, but may be set back. Each alone can show too little time; the larger of the two differences is
 * safe for a deadline.
 */
export interface Moment {
  readonly monotonicMs: number
  readonly wallMs: number
}

/** The source of time. Every service takes one, so that tests control it. */
export interface Clock {
  now(): Moment
}

/** The source of waiting. Every service that has a clock takes one. */
export interface Timer {
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` once, after `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, work: () => void): () => void
}

/**
 * How long at most to sleep towards a moment that counts by both clocks, in milliseconds. Timers run on the monotonic clock:
 * after a suspend, or a step forward of the wall clock, one long sleep would end too late by as much.
 */
export const lookAtClocksEveryMs = 1_000

export const systemClock: Clock = {
  now: () => ({ monotonicMs: performance.now(), wallMs: Date.now() }),
}

/** The longest wait that `setTimeout` can take, 24.8 days: with a longer one it does not wait at all. */
const longestMs = 2 ** 31 - 1

/** Waits for 24.8 days at most; a caller that needs longer looks at the clock and waits again. */
export const systemTimer: Timer = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(handle)
        forget()
        resolve()
      }
      const handle = setTimeout(done, Math.min(ms, longestMs))
      const forget = onAbort(signal, done)
    }),
  after: (ms, work) => {
    const handle = setTimeout(work, Math.min(ms, longestMs))
    return () => clearTimeout(handle)
  },
}

/**
 * Milliseconds that have certainly passed from `since` to `now`, for what may only be given up once it is over. The monotonic
 * difference alone: it counts too little during a suspend, and never too much. The wall clock would end things early when it is
 * set forward, and never when it is set back.
 */
export const surelyElapsedMs = (since: Moment, now: Moment): number => now.monotonicMs - since.monotonicMs

/** Milliseconds from `since` to `now`: the larger of the monotonic and the wall clock's difference. */
export const elapsedMs = (since: Moment, now: Moment): number =>
  Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs)
