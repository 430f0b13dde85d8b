/**
 * Keeps leases alive in the background: one timer for all of a process's leases.
 *
 * Guarantees: a lease that was not renewed in time is lost at its deadline, by its holder's own clock, whatever
 * happens to renewals under way. No renewal is begun for a lease that is released or lost.
 * Does not guarantee: that a timer fires in time. A process that was suspended learns of it when `Lease` is looked
 * at, before any timer has fired.
 * Assumes of clocks: what deadlines assume. A renewal is due by the clock that shows more time, as the deadline is: after
 * a suspend the deadline is nearer, and a renewal that was due by a timer alone, which stood still meanwhile, would come after it.
 * So the timer ends once a second, and looks whether the clocks have parted; only then at each lease.
 * Tuned by: the TTL. The window of a lease is `ttl − 1 s − maxClockSkew`; it is renewed after a third of what is left of
 * it, give or take a tenth: each one that fails leaves a shorter time to the next, and several fit before the deadline.
 */
import type { RenewalReport } from '../../telemetry/index.ts'
import {
  type Deadline,
  elapsedMs,
  lookAtClocksEveryMs,
  type Moment,
  untilDeadlineMs,
} from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { isLeaseholdError } from '../errors.ts'
import { renew } from '../renew.ts'
import { type OnResignRequested, ResignListener } from '../resign/resign-listener.ts'
import type { Lease } from './lease.ts'

interface Kept {
  /** When the next renewal is due: by both clocks, as the deadline of the lease. */
  due: Deadline
  /** Renewals of one lease follow each other: two at once would refuse each other's value. */
  running: Promise<void> | undefined
  readonly listener: ResignListener
  /** Renewals that failed in a row. */
  failures: number
  /** The value that the holder wants, where an update of it was not answered: the next renewals carry it. */
  wanted: { value: string | null } | undefined
}

/** After a renewal that failed, in milliseconds; it doubles from failure to failure, up to `retryWithinMs`. */
const retryAfterMs = 100
const retryWithinMs = 2_000
/** How far the clocks may part before every lease is looked at, in milliseconds: clocks that are slewed part slowly all the time. */
const partedMs = 100

export class KeepAlive {
  readonly #context: LeaseContext
  readonly #dropped: (lease: Lease) => void
  readonly #kept = new Map<Lease, Kept>()
  /** When the next lease is due or lost, on the monotonic clock, unless the clocks part before. */
  #wakeAtMs = Number.POSITIVE_INFINITY
  /** When every lease was looked at last. */
  #looked: Moment
  #cancel: (() => void) | undefined

  /** @param dropped called with each lease that is kept alive no more because it is lost */
  constructor(context: LeaseContext, dropped: (lease: Lease) => void) {
    this.#context = context
    this.#dropped = dropped
    this.#looked = context.clock.now()
  }

  get leases(): Lease[] {
    return [...this.#kept.keys()]
  }

  /** @param onAsked called once for each request to resign, before `onResignRequested` */
  add(lease: Lease, onResignRequested: OnResignRequested, onAsked: () => void): void {
    const due = this.#nextRenewal(lease)
    const listener = new ResignListener(this.#context, lease, onResignRequested, onAsked)
    this.#kept.set(lease, { due, running: undefined, listener, failures: 0, wanted: undefined })
    this.#wakeBy(due)
  }

  remove(lease: Lease): void {
    this.#kept.get(lease)?.listener.stop()
    this.#kept.delete(lease)
    // The timer ends with the last lease, so that the library does not keep a process alive.
    if (this.#kept.size === 0) this.#stop()
  }

  /** One renewal, with another value, after those under way. @throws OutcomeUnknownError, or as the lease's loss */
  async renewNow(lease: Lease, value: string | null): Promise<void> {
    const kept = this.#kept.get(lease)
    if (kept === undefined) return lease.throwIfLost()
    const before = kept.running ?? Promise.resolve()
    const mine = before.then(async () => {
      const unanswered = kept.wanted
      kept.wanted = { value }
      try {
        await this.#renew(lease, kept, value)
      } catch (thrown) {
        // It may have been written, so that the next renewal must not write an older value over it.
        if (!isLeaseholdError(thrown, 'outcome-unknown')) kept.wanted = unanswered
        throw thrown
      }
    })
    this.#follow(lease, kept, mine)
    await mine
    lease.throwIfLost()
  }

  /** Sets the timer, unless it is set for an earlier moment. */
  #wakeBy(moment: Deadline): void {
    const now = this.#context.clock.now()
    const atMs = now.monotonicMs + untilDeadlineMs(moment, now)
    if (atMs >= this.#wakeAtMs) return
    this.#wakeAtMs = atMs
    this.#sleep(now)
  }

  /** For a second at most: see `lookAtClocksEveryMs`. */
  #sleep(now: Moment): void {
    this.#cancel?.()
    const ms = Math.min(lookAtClocksEveryMs, this.#wakeAtMs - now.monotonicMs)
    this.#cancel = this.#context.timer.after(Math.max(1, ms), () => this.#wake())
  }

  /** Two clocks are compared each second, however many leases are kept. */
  #wake(): void {
    const now = this.#context.clock.now()
    const monotonicMs = now.monotonicMs - this.#looked.monotonicMs
    const wallMs = now.wallMs - this.#looked.wallMs
    if (now.monotonicMs >= this.#wakeAtMs || Math.abs(wallMs - monotonicMs) > partedMs) this.#turn(now)
    else this.#sleep(now)
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#wakeAtMs = Number.POSITIVE_INFINITY
  }

  /** Renews what is due, lets go of what is lost, and sets the timer for what comes next. */
  #turn(now: Moment): void {
    this.#stop()
    this.#looked = now
    let next: Deadline | undefined
    let nextMs = Number.POSITIVE_INFINITY
    const consider = (moment: Deadline) => {
      const leftMs = untilDeadlineMs(moment, now)
      if (leftMs >= nextMs) return
      next = moment
      nextMs = leftMs
    }
    for (const [lease, kept] of this.#kept) {
      if (!lease.held) {
        kept.listener.stop()
        this.#kept.delete(lease)
        this.#dropped(lease)
        continue
      }
      if (kept.running === undefined && untilDeadlineMs(kept.due, now) <= 0) this.#start(lease, kept)
      if (kept.running === undefined) consider(kept.due)
      // Its loss is due then, whatever becomes of a renewal that is under way.
      consider(lease.tenure.deadline)
    }
    if (next !== undefined && this.#kept.size > 0) this.#wakeBy(next)
  }

  #start(lease: Lease, kept: Kept): void {
    const { value } = kept.wanted ?? lease
    this.#follow(lease, kept, this.#renew(lease, kept, value))
  }

  /** The next one follows this one, and only the last one's end is the end. */
  #follow(lease: Lease, kept: Kept, renewal: Promise<void>): void {
    const running = renewal
      .catch(() => {})
      .then(() => {
        if (kept.running === running) kept.running = undefined
        if (this.#kept.get(lease) !== kept) return
        if (lease.held) this.#wakeBy(kept.due)
        else {
          this.remove(lease)
          this.#dropped(lease)
        }
      })
    kept.running = running
  }

  async #renew(lease: Lease, kept: Kept, value: string | null): Promise<void> {
    const { clock, telemetry, events } = this.#context
    if (!lease.held) return
    const sent = clock.now()
    const ended = (outcome: RenewalReport['outcome']) => {
      const now = clock.now()
      const marginMs = Math.max(0, untilDeadlineMs(lease.tenure.deadline, now))
      telemetry.renewal({ lease: lease.name, outcome, tookMs: elapsedMs(sent, now), marginMs })
      return marginMs
    }
    // Beside it, not before it.
    void kept.listener.listen()
    try {
      const outcome = await renew(this.#context, lease.tenure, {
        value,
        onFailure: (thrown) => lease.renewalFailed(thrown),
      })
      const marginMs = ended(outcome.kind)
      // Released or lost in between: this answer changes nothing.
      if (!this.#kept.has(lease)) return
      if (outcome.kind === 'renewed') {
        kept.wanted = undefined
        kept.failures = 0
        events?.renewed(lease, marginMs)
        lease.renewed(outcome.tenure)
      } else lease.lose(outcome.why, outcome.owner)
      kept.due = this.#nextRenewal(lease)
    } catch (thrown) {
      ended('failed')
      // *Unknown* is the sum of the failures, which were noted one by one, and names no cause.
      if (!isLeaseholdError(thrown, 'outcome-unknown')) lease.renewalFailed(thrown)
      const afterMs = Math.min(retryWithinMs, retryAfterMs * 2 ** kept.failures++)
      kept.due = { from: clock.now(), afterMs }
      // Whatever it was, it is tried again until the deadline, which ends it.
      throw thrown
    }
  }

  /**
   * After a third of what is left, give or take a tenth, so that leases do not march in step. Of what is left, and not of
   * the window: after a renewal whose answer was lost the deadline counts from before the last send.
   */
  #nextRenewal(lease: Lease): Deadline {
    const { clock, random } = this.#context
    const from = clock.now()
    const thirdMs = untilDeadlineMs(lease.tenure.deadline, from) / 3
    return { from, afterMs: thirdMs * (0.9 + 0.2 * random()) }
  }
}
