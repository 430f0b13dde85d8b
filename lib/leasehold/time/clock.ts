import { onAbort } from './abort.ts'

/**
 * Two readings of the time, taken together.
 *
 * The monotonic clock never steps, but on Linux it stands still while the machine is suspended; the wall clock goes
 * on during suspend, but may be stepped. Neither alone says how much time has passed at least; the larger of the two
 * differences does, on the safe side.
 */
export interface Moment {
  readonly monotonicMs: number
  readonly wallMs: number
}

/** Where time comes from. Injected everywhere, so that tests own it. */
export interface Clock {
  now(): Moment
}

/** Waiting. Injected beside the clock. */
export interface Timer {
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `work` once, later, unless what this returns is called before. */
  after(ms: number, work: () => void): () => void
}

export const systemClock: Clock = {
  now: () => ({ monotonicMs: performance.now(), wallMs: Date.now() }),
}

/** The longest that `setTimeout` can wait, 24.8 days; told to wait for longer, it does not wait at all. */
const longestMs = 2 ** 31 - 1

/** Waits for 24.8 days at most: callers that wait for longer look at the clock in between. */
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

/** Milliseconds that have passed from `since` to `now`: the larger of the monotonic and the wall clock's difference. */
export const elapsedMs = (since: Moment, now: Moment): number =>
  Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs)
