/**
 * Leadership by claims, in the manner of the Java library cassandra-leadership, on its table
 * (`leadership_election("group", leader_id)`), beside clients of that library.
 *
 * Guarantees: a token that is `held` leads the group, as long as identities are used as below. What was claimed ends at its
 * deadline, by its own clock, whether or not anybody looks.
 * Does not guarantee: anything about an identity that is used twice. The identities are the caller's: a claim, a
 * heartbeat or a resignation whose answer was lost may be applied some 25 s later, and then hits whatever tenure the
 * same identity has by then: a late resignation ends it before its deadline, and a rival leads too. Where that matters, give each claim an identity of its
 * own (`uniqueOwner()`), or campaign in an `Election` (docs/decisions/01-owner-ids-are-used-once.md).
 * Differs from the original on purpose: claiming again while the same identity leads is *held*, not a second token.
 * Two processes with one identity would both lead; and that one's own id is shown proves nothing of this claim.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
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
  /** `leader`: who leads. One's own identity too: it leads already, by an earlier claim. */
  | { kind: 'held'; leader: string | null }

export type HeartbeatOutcome =
  | { kind: 'renewed' }
  /** `leader`: who leads now, if the store said so. */
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
   * @param durationMs how long the claim lives without a heartbeat: whole seconds, 2000 or more. It may be relied on
   * for a second and `maxClockSkewMs` less than that
   * @throws InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError, OutcomeUnknownError
   * (the claim may still appear, for its duration at most)
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

/** A claim: nothing renews it by itself. Heartbeat at half of its duration, as cassandra-leadership advises. */
export class LeadershipToken {
  readonly group: string
  readonly identity: string
  readonly durationMs: number
  /** Microseconds: greater than that of every earlier leader of this group. */
  readonly fencingToken: bigint | null
  readonly #protocol: LeaseProtocol
  #tenure: Tenure
  /** Heartbeats follow each other. */
  #last: Promise<unknown> = Promise.resolve()
  #lost: { why: LossReason; leader: string | null } | undefined

  /** For groups alone. */
  constructor(protocol: LeaseProtocol, tenure: Tenure) {
    this.group = tenure.name
    this.identity = tenure.owner
    this.durationMs = tenure.ttlSeconds * 1000
    this.fencingToken = tenure.token
    this.#protocol = protocol
    this.#tenure = tenure
  }

  /** Whether it may be relied on at this moment. */
  get held(): boolean {
    return this.#look() === undefined
  }

  /** When it must be considered lost, on the monotonic clock, in milliseconds. It moves on with every heartbeat. */
  get deadlineMs(): number {
    return this.#tenure.deadline.from.monotonicMs + this.#tenure.deadline.afterMs
  }

  /** Milliseconds that are left until then; 0 when it is lost. */
  get remainingMs(): number {
    return this.held ? this.#untilDeadlineMs() : 0
  }

  /**
   * Renews the claim for its whole duration, after the heartbeats that are under way. Once lost, it stays lost: claim again.
   * @throws OutcomeUnknownError when no answer came: it still ends at its deadline, unless the next one is answered
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
    // Resigned, or past the deadline, while the answer was on its way: what is heard now changes nothing.
    if (this.#lost !== undefined) return { kind: 'lost', ...this.#lost }
    if (outcome.kind === 'lost') {
      this.#lost = { why: outcome.why, leader: outcome.owner }
      return { kind: 'lost', ...this.#lost }
    }
    this.#tenure = outcome.tenure
    return { kind: 'renewed' }
  }

  /**
   * Gives it up. From here on it is not held, whatever is heard.
   * @throws StoreUnavailableError (nothing was sent), OutcomeUnknownError: it then expires by itself
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
