/**
 * Leadership by claims, in the manner of the Java library cassandra-leadership, on its table
 * (`leadership_election("group", leader_id)`), beside clients of that library.
 *
 * Guarantees: as long as each claim has an identity of its own, a token that is `held` leads the group. A claim ends at
 * its deadline by the holder's own clock, whether or not the holder reads that clock.
 * Does not guarantee: anything for an identity that a caller uses twice. Cassandra may apply a claim, a heartbeat or a
 * resignation whose answer was lost some 25 s later, to the tenure that this identity has by then. A late resignation
 * ends that tenure before its deadline, and a rival leads too. Where that matters, give each claim its own identity
 * (`uniqueOwner()`), or campaign in an `Election` (docs/decisions/01-owner-ids-are-used-once.md).
 * Differs from the original on purpose: a claim while the same identity leads is *held*, not a second token. Two
 * processes with one identity would both lead; and a read that shows the identity does not prove this claim.
 * Assumes: the clocks of `time/lease-time.ts`.
 */
import {
  type AcquireOutcome,
  InvalidArgumentError,
  type LeaseProtocol,
  type LossReason,
  type ReleaseOutcome,
  type Tenure,
} from '../lease/index.ts'
import { minTtlSeconds, untilDeadlineMs } from '../time/index.ts'

export type ClaimOutcome =
  | { kind: 'claimed'; token: LeadershipToken }
  /** `leader`: the present leader. It may be the claim's own identity, by an earlier claim. */
  | { kind: 'held'; leader: string | null }

export type HeartbeatOutcome =
  | { kind: 'renewed' }
  /** `leader`: the present leader, if the store named one. */
  | { kind: 'lost'; why: LossReason; leader: string | null }

/**
 * @example
 * const store = new CassandraLeaseStore(session, LeadershipSchema.default.mapping)
 * const group = new LeadershipGroup(new LeaseProtocol({ store }), 'workers')
 * const claim = await group.tryClaimLeader('user1', 30_000)
 * if (claim.kind === 'claimed') await claim.token.heartbeat()
 */
export class LeadershipGroup {
  readonly group: string
  readonly #protocol: LeaseProtocol

  constructor(protocol: LeaseProtocol, group: string) {
    this.#protocol = protocol
    this.group = group
  }

  /**
   * Tries once to become the leader.
   * @param durationMs how long the claim lives without a heartbeat: whole seconds, 2000 or more. Its deadline is a
   * second and `maxClockSkewMs` earlier
   * @throws InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError, OutcomeUnknownError
   * (the claim may still appear, about half a minute later at worst, over the REST API a minute and a half, and then blocks
   * the group for up to its duration)
   */
  async tryClaimLeader(identity: string, durationMs: number): Promise<ClaimOutcome> {
    const ttlSeconds = checkDuration(durationMs)
    const outcome: AcquireOutcome = await this.#protocol.tryAcquire(this.group, {
      owner: identity,
      ttlSeconds,
    })
    return outcome.kind === 'held'
      ? { kind: 'held', leader: outcome.owner }
      : { kind: 'claimed', token: new LeadershipToken(this.#protocol, outcome.tenure) }
  }
}

/** A claim. Its holder has to renew it: call `heartbeat` at half of the duration, as cassandra-leadership advises. */
export class LeadershipToken {
  readonly group: string
  readonly identity: string
  readonly durationMs: number
  /** Microseconds: greater than that of every earlier leader of this group. */
  readonly fencingToken: bigint | null
  readonly #protocol: LeaseProtocol
  #tenure: Tenure
  /** The last heartbeat: the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve()
  #lost: { why: LossReason; leader: string | null } | undefined

  /** `LeadershipGroup` makes tokens. */
  constructor(protocol: LeaseProtocol, tenure: Tenure) {
    this.group = tenure.name
    this.identity = tenure.owner
    this.durationMs = tenure.ttlSeconds * 1000
    this.fencingToken = tenure.token
    this.#protocol = protocol
    this.#tenure = tenure
  }

  /** Whether the caller may rely on the leadership at this moment; looks at the clock. */
  get held(): boolean {
    return this.#look() === undefined
  }

  /** The deadline, on the monotonic clock, in milliseconds. It moves on with every heartbeat. */
  get deadlineMs(): number {
    return this.#tenure.deadline.from.monotonicMs + this.#tenure.deadline.afterMs
  }

  /** Milliseconds until the deadline; 0 when the claim is lost. */
  get remainingMs(): number {
    return this.held ? this.#untilDeadlineMs() : 0
  }

  /**
   * Renews the claim for its whole duration, after the heartbeats that are under way. A lost claim stays lost: claim
   * again.
   * @throws OutcomeUnknownError when no answer came: the deadline stays as it was, unless the next heartbeat moves it
   * on
   */
  heartbeat(): Promise<HeartbeatOutcome> {
    const next = this.#last.then(() => this.#beat())
    this.#last = next.catch(() => {})
    return next
  }

  async #beat(): Promise<HeartbeatOutcome> {
    const before = this.#look()
    if (before !== undefined) return { kind: 'lost', ...before }
    const outcome = await this.#protocol.renew(this.#tenure)
    // The holder resigned, or its deadline passed, while the answer was on its way: the answer changes nothing.
    if (this.#lost !== undefined) return { kind: 'lost', ...this.#lost }
    if (outcome.kind === 'lost') {
      this.#lost = { why: outcome.why, leader: outcome.owner }
      return { kind: 'lost', ...this.#lost }
    }
    this.#tenure = outcome.tenure
    return { kind: 'renewed' }
  }

  /**
   * Gives the claim up. From this call on `held` is false, whatever the outcome.
   * @throws StoreUnavailableError (nothing was sent), OutcomeUnknownError: the claim then expires
   */
  async resign(): Promise<ReleaseOutcome> {
    this.#lost ??= { why: 'released', leader: null }
    return this.#protocol.release(this.#tenure)
  }

  #look(): { why: LossReason; leader: string | null } | undefined {
    if (this.#lost === undefined && this.#untilDeadlineMs() <= 0)
      this.#lost = { why: 'deadline', leader: null }
    return this.#lost
  }

  #untilDeadlineMs(): number {
    return untilDeadlineMs(this.#tenure.deadline, this.#protocol.context.clock.now())
  }
}

/** @returns whole seconds */
function checkDuration(durationMs: number): number {
  const leastMs = minTtlSeconds * 1000
  if (!Number.isInteger(durationMs / 1000) || durationMs < leastMs)
    throw new InvalidArgumentError(
      `durationMs is ${durationMs}; whole seconds are expected, ${leastMs} or more, because Cassandra expires rows by the second.`,
    )
  return durationMs / 1000
}
