/**
 * When to stop a command that runs under a lease. Pure; the watchdog and `leasehold` share it.
 *
 * Guarantees: SIGKILL is always due before the lease's deadline, and SIGTERM `graceMs` before SIGKILL. Once stopping
 * has begun, no renewal ends it.
 * Does not guarantee: that a signal is sent when it is due: a suspended machine sends it when it wakes up.
 * Assumes: as `time/lease-time.ts`.
 * Tuned by: the grace, how long the command has between the two signals.
 */
import { type Deadline, elapsedMs, type Moment, tenureMs } from '../../time/index.ts'

/** The longest time from SIGKILL to the end of a process on a busy machine, in milliseconds. */
export const killLeadMs = 250

const defaultGraceMs = 5_000

/** When the signals are due, counted from `from`. A renewal extends them. */
export interface Limits {
  readonly from: Moment
  readonly termAfterMs: number
  readonly killAfterMs: number
}

export function limitsOf(deadline: Deadline, graceMs: number): Limits {
  const killAfterMs = deadline.afterMs - killLeadMs
  return { from: deadline.from, termAfterMs: killAfterMs - graceMs, killAfterMs }
}

/**
 * The grace for a TTL, in milliseconds. Default: five seconds, or a quarter of the window if that is less.
 * The holder renews after a third of the window; with a grace above half of it, SIGTERM would come too close to that.
 * @returns undefined when the given grace is too long
 */
export function graceFor(
  ttlSeconds: number,
  maxClockSkewMs: number,
  askedMs: number | undefined,
): number | undefined {
  const windowMs = tenureMs(ttlSeconds, maxClockSkewMs)
  if (askedMs === undefined) return Math.min(defaultGraceMs, Math.floor(windowMs / 4))
  return askedMs <= longestGraceMs(ttlSeconds, maxClockSkewMs) ? askedMs : undefined
}

export const longestGraceMs = (ttlSeconds: number, maxClockSkewMs: number): number =>
  Math.floor(tenureMs(ttlSeconds, maxClockSkewMs) / 2)

type Due = { kind: 'wait'; ms: number } | { kind: 'terminate' } | { kind: 'kill' }

/** Why a command is being stopped. */
export type StopReason = 'deadline' | 'requested' | 'orphaned'

export class StopPlan {
  readonly #graceMs: number
  #limits: Limits
  /** Set once, when stopping begins. */
  #stopping: { since: Moment; reason: StopReason } | undefined

  constructor(limits: Limits, graceMs: number) {
    this.#limits = limits
    this.#graceMs = graceMs
  }

  get stopping(): StopReason | undefined {
    return this.#stopping?.reason
  }

  /** The lease was renewed. Too late once stopping has begun: the command has had its SIGTERM. */
  extend(limits: Limits): void {
    if (this.#stopping === undefined) this.#limits = limits
  }

  /** SIGTERM is due at once, SIGKILL after the grace or at the limit, whichever is first. */
  stop(now: Moment, reason: StopReason): void {
    this.#stopping ??= { since: now, reason }
  }

  /** Whether the limit for SIGKILL has passed. Changes nothing. */
  isPastLimit(now: Moment): boolean {
    return elapsedMs(this.#limits.from, now) >= this.#limits.killAfterMs
  }

  /** The signal that is due now. Past the limit for SIGTERM, stopping begins, for good. */
  due(now: Moment): Due {
    const { from, termAfterMs, killAfterMs } = this.#limits
    const passedMs = elapsedMs(from, now)
    if (passedMs >= termAfterMs) this.stop(now, 'deadline')
    if (this.#stopping === undefined) return { kind: 'wait', ms: termAfterMs - passedMs }
    if (passedMs >= killAfterMs || elapsedMs(this.#stopping.since, now) >= this.#graceMs)
      return { kind: 'kill' }
    return { kind: 'terminate' }
  }
}
