/**
 * Keeps leases alive in the background: one timer for all of a process's leases.
 *
 * Guarantees: a lease that was not renewed in time is lost at its deadline, by its holder's own clock, whatever
 * happens to renewals under way. No renewal is begun for a lease that is released or lost.
 * Does not guarantee: that a timer fires in time. A process that was suspended learns of it when `Lease` is looked
 * at, before any timer has fired.
 * Tuned by: the TTL. The window of a lease is `ttl − 1 s − maxClockSkew`; it is renewed after a third of what is left of
 * it, give or take a tenth: each one that fails leaves a shorter time to the next, and several fit before the deadline.
 */
import type { RenewalReport } from '../../telemetry/index.ts'
import { elapsedMs, untilDeadlineMs } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { isLeaseholdError } from '../errors.ts'
import { renew } from '../renew.ts'
import type { Lease } from './lease.ts'
import { type OnResignRequested, ResignListener } from './resign-listener.ts'

interface Kept {
  /** When the next renewal is due, on the monotonic clock. */
  renewAtMs: number
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

export class KeepAlive {
  readonly #context: LeaseContext
  readonly #dropped: (lease: Lease) => void
  readonly #kept = new Map<Lease, Kept>()
  /** When the timer is set for, on the monotonic clock. */
  #wakeAtMs = Number.POSITIVE_INFINITY
  #cancel: (() => void) | undefined

  /** @param dropped called with each lease that is kept alive no more because it is lost */
  constructor(context: LeaseContext, dropped: (lease: Lease) => void) {
    this.#context = context
    this.#dropped = dropped
  }

  get leases(): Lease[] {
    return [...this.#kept.keys()]
  }

  /** @param onAsked called once for each request to resign, before `onResignRequested` */
  add(lease: Lease, onResignRequested: OnResignRequested, onAsked: () => void): void {
    const renewAtMs = this.#nextRenewalMs(lease)
    const listener = new ResignListener(this.#context, lease, onResignRequested, onAsked)
    this.#kept.set(lease, { renewAtMs, running: undefined, listener, failures: 0, wanted: undefined })
    this.#wakeBy(renewAtMs)
  }

  remove(lease: Lease): void {
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
  #wakeBy(atMs: number): void {
    if (atMs >= this.#wakeAtMs) return
    this.#stop()
    const { clock, timer } = this.#context
    this.#wakeAtMs = atMs
    this.#cancel = timer.after(Math.max(1, atMs - clock.now().monotonicMs), () => this.#turn())
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#wakeAtMs = Number.POSITIVE_INFINITY
  }

  /** Renews what is due, lets go of what is lost, and sets the timer for what comes next. */
  #turn(): void {
    this.#stop()
    const now = this.#context.clock.now()
    let nextMs = Number.POSITIVE_INFINITY
    for (const [lease, kept] of this.#kept) {
      if (!lease.held) {
        this.#kept.delete(lease)
        this.#dropped(lease)
        continue
      }
      if (kept.running === undefined && now.monotonicMs >= kept.renewAtMs) this.#start(lease, kept)
      if (kept.running === undefined) nextMs = Math.min(nextMs, kept.renewAtMs)
      // Its loss is due then, whatever becomes of a renewal that is under way.
      nextMs = Math.min(nextMs, now.monotonicMs + untilDeadlineMs(lease.tenure.deadline, now))
    }
    if (this.#kept.size > 0) this.#wakeBy(nextMs)
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
        if (lease.held) this.#wakeBy(kept.renewAtMs)
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
      const outcome = await renew(this.#context, lease.tenure, { value })
      const marginMs = ended(outcome.kind)
      // Released or lost in between: this answer changes nothing.
      if (!this.#kept.has(lease)) return
      if (outcome.kind === 'renewed') {
        kept.wanted = undefined
        kept.failures = 0
        events?.renewed(lease, marginMs)
        lease.renewed(outcome.tenure)
      } else lease.lose(outcome.why, outcome.owner)
      kept.renewAtMs = this.#nextRenewalMs(lease)
    } catch (thrown) {
      ended('failed')
      lease.renewalFailed(thrown)
      kept.renewAtMs = clock.now().monotonicMs + Math.min(retryWithinMs, retryAfterMs * 2 ** kept.failures++)
      // Whatever it was, it is tried again until the deadline, which ends it.
      throw thrown
    }
  }

  /**
   * After a third of what is left, give or take a tenth, so that leases do not march in step. Of what is left, and not of
   * the window: after a renewal whose answer was lost the deadline counts from before the last send.
   */
  #nextRenewalMs(lease: Lease): number {
    const { clock, random } = this.#context
    const now = clock.now()
    const thirdMs = untilDeadlineMs(lease.tenure.deadline, now) / 3
    return now.monotonicMs + thirdMs * (0.9 + 0.2 * random())
  }
}
