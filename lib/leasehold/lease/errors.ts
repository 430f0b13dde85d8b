import { isQuarantine } from './owner-mark.ts'

/**
 * All errors of this library. Calls that return an outcome (`tryAcquire`, `LeaseProtocol`) report another holder as a
 * value; calls that promise a lease throw a `LeaseHeldError`.
 * Recognise an error by its `code`: `instanceof` fails when a process has two copies of a module.
 */
export type LeaseholdErrorCode =
  | 'closed'
  | 'invalid-argument'
  | 'lease-held'
  | 'lease-lost'
  | 'outcome-unknown'
  | 'statement-unknown'
  | 'store-refused'
  | 'store-unavailable'

const family = Symbol.for('leasehold.error')

export abstract class LeaseholdError extends Error {
  abstract readonly code: LeaseholdErrorCode
  /** Whether the same call may succeed later. */
  abstract readonly retryable: boolean
  readonly [family] = true
}

/** The caller's mistake: an invalid name, owner, value or timing. */
export class InvalidArgumentError extends LeaseholdError {
  override readonly name = 'InvalidArgumentError'
  readonly code = 'invalid-argument'
  readonly retryable = false
}

export interface StoreUnavailableOptions extends ErrorOptions {
  /** Left out: false. */
  mayHaveHappened?: boolean | undefined
}

/** No node answers, or there is no quorum. The statement was not sent, it was a read, or `mayHaveHappened` is true. */
export class StoreUnavailableError extends LeaseholdError {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'
  readonly retryable = true
  /**
   * A plain write was sent, and its answer was lost: it may have happened, or may yet. Of a conditional write, a
   * `StatementUnknownError` says so. Or a campaign ran out of time: its term may have begun, and its lease is released.
   */
  readonly mayHaveHappened: boolean
  constructor(message: string, { mayHaveHappened = false, ...options }: StoreUnavailableOptions = {}) {
    super(message, options)
    this.mayHaveHappened = mayHaveHappened
  }
}

/**
 * The caller has closed the leases or the session that it uses, and no retry helps. A call that began after that has sent
 * nothing. A try that was under way may have been applied. `leases.close()` releases it, if its answer comes while it waits;
 * else, and after `session.close()`, its row stands for one TTL at most.
 */
export class ClosedError extends LeaseholdError {
  override readonly name = 'ClosedError'
  readonly code = 'closed'
  readonly retryable = false
  constructor(message = 'This session is closed. Connect again.', options?: ErrorOptions) {
    super(message, options)
  }
}

export interface StoreRefusedOptions extends ErrorOptions {
  /** Left out: null. */
  problem?: string | null | undefined
}

/** The store answered with an error that no retry removes: a missing table, a missing permission. */
export class StoreRefusedError extends LeaseholdError {
  override readonly name = 'StoreRefusedError'
  readonly code = 'store-refused'
  readonly retryable = false
  /** The `code` of a Leasehold server's problem, such as `unauthenticated`; null: Cassandra refused, or the server gave none. */
  readonly problem: string | null
  constructor(message: string, { problem = null, ...options }: StoreRefusedOptions = {}) {
    super(message, options)
    this.problem = problem
  }
}

/**
 * One conditional write whose answer never came. Stores throw it; the protocol finds out the outcome.
 *
 * `finality` says what a later SERIAL read proves. `read`: the server reported the time-out, so that a SERIAL read
 * completes or invalidates the interrupted Paxos round, and is final. `never`: the client gave up or the socket broke,
 * and the request may still be in a buffer or a queue. A read that shows the write is final; one that does not is not.
 */
export class StatementUnknownError extends LeaseholdError {
  override readonly name = 'StatementUnknownError'
  readonly code = 'statement-unknown'
  readonly retryable = false
  readonly finality: 'read' | 'never'
  constructor(message: string, finality: 'read' | 'never', options?: ErrorOptions) {
    super(message, options)
    this.finality = finality
  }
}

/**
 * The protocol could not find out whether the operation took effect. An acquisition may still take effect, under the
 * owner named here, about half a minute later at worst (over the REST API a minute and a half), and then lives for one TTL at
 * most.
 */
export class OutcomeUnknownError extends LeaseholdError {
  override readonly name = 'OutcomeUnknownError'
  readonly code = 'outcome-unknown'
  /** false: the store refused to say what became of it (`cause`), as at a wrong URL. */
  readonly retryable: boolean
  readonly lease: string
  readonly owner: string | null
  constructor(message: string, lease: string, owner: string | null, options?: ErrorOptions) {
    super(message, options)
    this.retryable = !isLeaseholdError(options?.cause, 'store-refused')
    this.lease = lease
    this.owner = owner
  }
}

/** Why a lease is over. */
export type LossReason = 'deadline' | 'not-holder' | 'released' | 'resign-requested' | 'superseded'

const lossWords: Record<LossReason, string> = {
  deadline: 'its deadline passed before a renewal was answered',
  'not-holder': 'a renewal was refused: it has another holder, or none',
  released: 'it was released',
  'resign-requested': 'its holder was asked to resign',
  superseded: 'a later holder has begun its term',
}

/**
 * The lease is over, or its work is to end: `resign-requested`, with the `ResignRequest` as the cause. Work that goes
 * on after the loss may collide with the next holder's.
 */
export class LeaseLostError extends LeaseholdError {
  override readonly name = 'LeaseLostError'
  readonly code = 'lease-lost'
  readonly retryable = false
  readonly lease: string
  readonly owner: string
  readonly reason: LossReason
  /** The holder at the time of the loss, if the store named one. */
  readonly holder: string | null
  constructor(
    lease: string,
    owner: string,
    reason: LossReason,
    holder: string | null,
    options?: ErrorOptions,
  ) {
    super(`The lease ${JSON.stringify(lease)} is lost: ${lossWords[reason]}.`, options)
    this.lease = lease
    this.owner = owner
    this.reason = reason
    this.holder = holder
  }
}

/**
 * Another owner holds the lease, or other waiters stand first in its queue, and the time to wait is over. `isQuarantine(holder)`: no
 * owner holds it, because an operator broke it.
 */
export class LeaseHeldError extends LeaseholdError {
  override readonly name = 'LeaseHeldError'
  readonly code = 'lease-held'
  readonly retryable = true
  readonly lease: string
  /** null: the table has no owner column, or no owner held the lease at the end. */
  readonly holder: string | null
  /** @param behindQueue no owner held the lease: only other waiters' tickets kept this one from it */
  constructor(lease: string, holder: string | null, { behindQueue = false } = {}) {
    super(
      behindQueue
        ? `The lease ${JSON.stringify(lease)} was not acquired: other waiters stood before this one in the queue, and no owner held the lease when the wait ended. Wait for longer. If the queue does not move, look for a client that keeps its ticket and does not try.`
        : isQuarantine(holder)
          ? `The lease ${JSON.stringify(lease)} has no holder: an operator broke it, and no process can acquire it until its quarantine is over.`
          : `The lease ${JSON.stringify(lease)} is held by ${holder ?? 'another owner'}.`,
    )
    this.lease = lease
    this.holder = holder
  }
}

/** Whether a thrown value is an error of this library, with this code if one is given. Works across copies of this module. */
export function isLeaseholdError(thrown: unknown): thrown is LeaseholdError
export function isLeaseholdError<C extends LeaseholdErrorCode>(
  thrown: unknown,
  code: C,
): thrown is ErrorOfCode<C>
export function isLeaseholdError(thrown: unknown, code?: LeaseholdErrorCode): boolean {
  if (!(thrown instanceof Error && family in thrown)) return false
  return code === undefined || (thrown as LeaseholdError).code === code
}

type ErrorOfCode<C extends LeaseholdErrorCode> = Extract<
  | ClosedError
  | InvalidArgumentError
  | LeaseHeldError
  | LeaseLostError
  | OutcomeUnknownError
  | StatementUnknownError
  | StoreRefusedError
  | StoreUnavailableError,
  { code: C }
>
