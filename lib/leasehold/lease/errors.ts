/**
 * All errors of this library. Where an outcome is returned (`tryAcquire`, `LeaseProtocol`), that somebody else holds a
 * lease is a value; the calls that promise a lease throw it.
 * Recognise them by `code`: with more than one copy of a module in a process, `instanceof` lies.
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
  /** Whether the same call may succeed later, unchanged. */
  abstract readonly retryable: boolean
  readonly [family] = true
}

/** The caller's mistake: a name, an owner, a value or a timing that cannot be. */
export class InvalidArgumentError extends LeaseholdError {
  override readonly name = 'InvalidArgumentError'
  readonly code = 'invalid-argument'
  readonly retryable = false
}

/** Nothing can be said now: no node answers, or there is no quorum. A statement was not sent, or it was a read. */
export class StoreUnavailableError extends LeaseholdError {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'
  readonly retryable = true
}

/** The caller has closed what it uses, leases or a session: nothing was sent, and nothing will be. */
export class ClosedError extends LeaseholdError {
  override readonly name = 'ClosedError'
  readonly code = 'closed'
  readonly retryable = false
  constructor(message = 'This session is closed. Connect again.', options?: ErrorOptions) {
    super(message, options)
  }
}

/** The store answered with an error that no retry mends: a missing table, a missing permission. */
export class StoreRefusedError extends LeaseholdError {
  override readonly name = 'StoreRefusedError'
  readonly code = 'store-refused'
  readonly retryable = false
}

/**
 * One conditional write whose answer never came; thrown by stores, settled by the protocol.
 *
 * `finality` says what a later SERIAL read proves. `read`: the server itself reported the time-out, so that a SERIAL
 * read completes or invalidates the interrupted round and is the verdict. `never`: the client gave up or the socket
 * broke, and the request may still sit in a buffer or a queue: seeing it applied is final, not seeing it is not.
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
 * What could be found out was, and it is still not known whether the operation took effect. For an acquisition that
 * was abandoned: it may still appear, under the owner named here, and lives for one TTL at most.
 */
export class OutcomeUnknownError extends LeaseholdError {
  override readonly name = 'OutcomeUnknownError'
  readonly code = 'outcome-unknown'
  readonly retryable = true
  readonly lease: string
  readonly owner: string | null
  constructor(message: string, lease: string, owner: string | null, options?: ErrorOptions) {
    super(message, options)
    this.lease = lease
    this.owner = owner
  }
}

/** Why a lease is over. */
export type LossReason = 'deadline' | 'not-holder' | 'released' | 'resign-requested' | 'superseded'

const lossWords: Record<LossReason, string> = {
  deadline: 'its deadline passed before a renewal was answered',
  'not-holder': 'a renewal was refused: somebody else holds it, or nobody',
  released: 'it was released',
  'resign-requested': 'its holder was asked to resign',
  superseded: 'a later holder has begun its term',
}

/**
 * The lease is over, or about to be: `resign-requested`, with the `ResignRequest` as its cause. What is done under it
 * from now on may collide with the next holder.
 */
export class LeaseLostError extends LeaseholdError {
  override readonly name = 'LeaseLostError'
  readonly code = 'lease-lost'
  readonly retryable = false
  readonly lease: string
  readonly owner: string
  readonly reason: LossReason
  /** Who holds it instead, if the store said so. */
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

/** Somebody else holds the lease, and the waiting is over. */
export class LeaseHeldError extends LeaseholdError {
  override readonly name = 'LeaseHeldError'
  readonly code = 'lease-held'
  readonly retryable = true
  readonly lease: string
  readonly holder: string | null
  constructor(lease: string, holder: string | null) {
    super(`The lease ${JSON.stringify(lease)} is held by ${holder ?? 'somebody else'}.`)
    this.lease = lease
    this.holder = holder
  }
}

/** Whether something thrown is of this family, and with which code. Works across copies of this module. */
export function isLeaseholdError<C extends LeaseholdErrorCode>(
  thrown: unknown,
  code: C,
): thrown is ErrorOfCode<C> {
  return thrown instanceof Error && family in thrown && (thrown as LeaseholdError).code === code
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
