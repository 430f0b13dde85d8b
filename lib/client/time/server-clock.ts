/**
 * The server's wall clock, continued by the browser's monotonic one. A reply has the server's time of its writing, and
 * is late by its time on the network. So of the last minute's replies the one with the greatest offset is the best
 * estimate.
 */
export interface ServerClock {
  /** Epoch milliseconds of the server when the page's clock is at 0. */
  offsetMs: number
  atMs: number
}

const windowMs = 60_000

/** The clock after one more reply. */
export function withReply(clock: ServerClock | null, now: string, arrivedAtMs: number): ServerClock {
  const offsetMs = Date.parse(now) - arrivedAtMs
  const keep = clock !== null && clock.offsetMs >= offsetMs && arrivedAtMs - clock.atMs < windowMs
  return keep ? clock : { offsetMs, atMs: arrivedAtMs }
}

/**
 * When a reply was written, on the monotonic clock: what the clock makes of the server's `now`, but not before the
 * request was sent, nor after the reply arrived. A reply that was slow to come, or a page too busy to take it, does not
 * make a countdown late.
 */
export function writtenAt(clock: ServerClock, now: string, startedAtMs: number, arrivedAtMs: number): number {
  return Math.min(arrivedAtMs, Math.max(startedAtMs, Date.parse(now) - clock.offsetMs))
}

/**
 * When what came with the server's `now` was read, on the monotonic clock. On the way back the router shows a page's
 * answer again, whatever its age: it is not of `nowMs`, at which it is drawn. Without a clock nothing else is known.
 */
export const readAt = (clock: ServerClock | null, now: string, nowMs: number): number =>
  clock === null ? nowMs : Math.min(nowMs, Date.parse(now) - clock.offsetMs)

/** Epoch milliseconds by the server's clock at a moment of the monotonic clock. */
export const serverTime = (clock: ServerClock, nowMs: number): number => clock.offsetMs + nowMs
