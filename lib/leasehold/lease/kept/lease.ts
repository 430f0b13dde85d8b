import { type Deadline, untilDeadlineMs } from '../../time/index.ts'
import type { LeaseContext } from '../context.ts'
import { InvalidArgumentError, LeaseLostError, type LossReason } from '../errors.ts'
import type { ReleaseOutcome } from '../release.ts'
import type { Tenure } from '../tenure.ts'

/** How long the end of a block waits for its release, in milliseconds. */
const releaseWithinMs = 500

/** What a lease asks of its keeper. */
export interface LeaseKeeper {
  readonly context: LeaseContext
  /** Renews now, with another value. @throws LeaseLostError, OutcomeUnknownError */
  update(lease: Lease, value: string | null): Promise<void>
  release(lease: Lease): Promise<ReleaseOutcome>
}

/**
 * A lease that is held and kept alive, until it is released or lost.
 *
 * Its loss aborts `signal`, with a `LeaseLostError` that says why. Timers fire late after a stall, so that `held`,
 * `token`, `throwIfLost` and the signal itself do not wait for one: they look at the clock when they are read.
 *
 * @example
 * await using lease = await leases.acquire('billing/invoice-run', { ttlSeconds: 30, waitMs: 10_000 })
 * await run({ signal: lease.signal, fence: lease.token })
 */
export class Lease implements AsyncDisposable {
  readonly name: string
  /** Unique to this acquisition. */
  readonly owner: string
  readonly ttlSeconds: number
  readonly #keeper: LeaseKeeper
  readonly #token: bigint
  /** Made when the signal is first asked for. Most leases end without that, and their release should cost a write alone. */
  #abort: AbortController | undefined
  /** Why the signal is aborted; undefined: it is not. Made when it is first asked for, too. */
  #reason: (() => unknown) | undefined
  #lost: (() => LeaseLostError) | undefined
  #tenure: Tenure
  #failure: unknown
  #work: Promise<void> | undefined
  #lossReason: LossReason | undefined

  /** For keepers alone: leases are made by `Leases`. */
  constructor(tenure: Tenure, keeper: LeaseKeeper) {
    if (tenure.token === null)
      throw new InvalidArgumentError('A table without an owner column cannot keep a lease alive.')
    this.name = tenure.name
    this.owner = tenure.owner
    this.ttlSeconds = tenure.ttlSeconds
    this.#token = tenure.token
    this.#tenure = tenure
    this.#keeper = keeper
  }

  /**
   * Aborts when the lease is lost or released, and when its work under `withLock` or `lead` is to end. `signal.reason` is a
   * `LeaseLostError`, also after a request to resign; a `ClosedError` after `leases.close()`; under `lead` the reason of the
   * caller's own signal, once that aborts.
   */
  get signal(): AbortSignal {
    this.#look()
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#reason !== undefined) this.#abort.abort(this.#reason())
    }
    return this.#abort.signal
  }

  /** Whether it may be relied on at this moment. */
  get held(): boolean {
    return this.#look() === undefined
  }

  /**
   * The fencing token of this tenure, microseconds: greater than that of every earlier one of this name.
   * @throws LeaseLostError when the lease is lost: a token that is handed out late is what fencing is about
   */
  get token(): bigint {
    this.throwIfLost()
    return this.#token
  }

  /** The value as last written by this holder. */
  get value(): string | null {
    return this.#tenure.value
  }

  /** Milliseconds from now until it must be considered lost, unless it is renewed; 0 when it is. */
  get remainingMs(): number {
    return this.held
      ? Math.max(0, untilDeadlineMs(this.#tenure.deadline, this.#keeper.context.clock.now()))
      : 0
  }

  /** When that is, on the monotonic clock, in milliseconds. It moves on with every renewal. */
  get deadlineMs(): number {
    return this.#deadline.from.monotonicMs + this.#deadline.afterMs
  }

  /** Why the store did not answer the renewal that is under way, or was tried last; undefined: none has failed since the last answer. */
  get renewalFailure(): unknown {
    return this.#failure
  }

  get tenure(): Tenure {
    return this.#tenure
  }

  /** @throws LeaseLostError */
  throwIfLost(): void {
    const lost = this.#look()
    if (lost !== undefined) throw lost()
  }

  /**
   * Writes another value, which renews the lease too.
   * @throws LeaseLostError, OutcomeUnknownError (the value may have been written; the lease goes on), InvalidArgumentError
   * in a table without a value column
   */
  async update(value: string | null): Promise<void> {
    this.throwIfLost()
    await this.#keeper.update(this, value)
  }

  /**
   * Gives it up; done twice, it does nothing.
   * @throws OutcomeUnknownError: it then expires by itself; StoreUnavailableError, StoreRefusedError: the row stands until
   * it expires, or a second call releases it
   */
  async release(): Promise<ReleaseOutcome> {
    return this.#keeper.release(this)
  }

  /**
   * Releases. Waits for half a second at most: a release that takes longer goes on in the background, and one whose outcome
   * is unknown is left to the expiry, so that no error of the block is hidden or held up.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keeper.context.engine.background.within(releaseWithinMs, this.release()).catch(() => {})
  }

  /** For keepers: a renewal was answered in time. */
  renewed(tenure: Tenure): void {
    this.#tenure = tenure
    this.#failure = undefined
  }

  /** Asks the work to end, by its signal. The lease is held, and kept alive, until it is released. */
  windUp(reason: unknown): void {
    this.#end(() => reason)
  }

  /**
   * For locks and elections: runs work under the lease; `close` waits for it.
   * @throws LeaseLostError: it was released, or its deadline passed, since it was acquired; no work was begun
   */
  async runs<T>(work: () => Promise<T> | T): Promise<T> {
    this.throwIfLost()
    // Known before it begins: the work itself may call `close` at once.
    let settled = () => {}
    this.#work = new Promise((done) => {
      settled = done
    })
    try {
      return await work()
    } finally {
      settled()
    }
  }

  /** Settles with the work that runs under the lease; undefined: none was begun by `runs`. Never rejects. */
  get work(): Promise<void> | undefined {
    return this.#work
  }

  /** For keepers: why it is over; undefined: no loss was noted. */
  get lossReason(): LossReason | undefined {
    return this.#lossReason
  }

  /** For keepers: why a renewal failed. It is the cause of a loss at the deadline. */
  renewalFailed(thrown: unknown): void {
    this.#failure = thrown
  }

  /** For keepers: it is over. The first reason counts. */
  lose(reason: LossReason, holder: string | null = null, options?: ErrorOptions): void {
    if (this.#lost !== undefined) return
    let error: LeaseLostError | undefined
    this.#lost = () => {
      error ??= new LeaseLostError(this.name, this.owner, reason, holder, options)
      return error
    }
    this.#end(this.#lost)
    this.#lossReason = reason
    const { telemetry, events } = this.#keeper.context
    telemetry.ended(this, reason)
    if (reason !== 'released') events?.ended(this, reason)
  }

  #end(reason: () => unknown): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#abort?.abort(reason())
  }

  get #deadline(): Deadline {
    return this.#tenure.deadline
  }

  #look(): (() => LeaseLostError) | undefined {
    if (untilDeadlineMs(this.#deadline, this.#keeper.context.clock.now()) <= 0)
      this.lose('deadline', null, { cause: this.#failure })
    return this.#lost
  }
}
