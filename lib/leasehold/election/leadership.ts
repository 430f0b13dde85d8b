import type { Lease, ReleaseOutcome } from '../lease/index.ts'

/**
 * The leadership of a group, until the leader resigns or loses it. The loss aborts `signal`, with a `LeaseLostError`.
 * `held`, `token`, `throwIfLost` and the signal look at the clock when they are read, as those of a `Lease` do.
 *
 * @example
 * await using leadership = await election.campaign({ value: 'http://10.0.0.7:8080' })
 * await lead({ signal: leadership.signal, fence: leadership.token })
 */
export class Leadership implements AsyncDisposable {
  readonly group: string
  /** Unique to this tenure. */
  readonly owner: string
  /** 1, 2, 3 … per group; null: the election counts no terms. */
  readonly term: bigint | null
  readonly #lease: Lease

  /** `Election` makes leaderships. */
  constructor(lease: Lease, term: bigint | null) {
    this.group = lease.name
    this.owner = lease.owner
    this.term = term
    this.#lease = lease
  }

  /**
   * The fencing token, microseconds: greater than that of every earlier leader of this group.
   * @throws LeaseLostError when the leadership is lost: work must not begin under a stale token
   */
  get token(): bigint {
    return this.#lease.token
  }

  /** Aborts when the leadership is lost or resigned, and under `lead` when the work is to end. */
  get signal(): AbortSignal {
    return this.#lease.signal
  }

  /** Whether the caller may rely on the leadership at this moment; looks at the clock. */
  get held(): boolean {
    return this.#lease.held
  }

  /** The last proclaimed value. */
  get value(): string | null {
    return this.#lease.value
  }

  /** The deadline, on the monotonic clock, in milliseconds. It moves on with every renewal. */
  get deadlineMs(): number {
    return this.#lease.deadlineMs
  }

  /** Milliseconds until the deadline; 0 when the leadership is lost. */
  get remainingMs(): number {
    return this.#lease.remainingMs
  }

  /** As that of a `Lease`: why the last renewal failed; undefined: none has failed since the last answer. */
  get renewalFailure(): unknown {
    return this.#lease.renewalFailure
  }

  /** @throws LeaseLostError */
  throwIfLost(): void {
    this.#lease.throwIfLost()
  }

  /**
   * Proclaims another value to the group.
   * @throws LeaseLostError, OutcomeUnknownError (the value may have been written; the leadership goes on),
   * InvalidArgumentError in a table without a value column
   */
  async proclaim(value: string | null): Promise<void> {
    await this.#lease.update(value)
  }

  /** For `lead`: runs work under the leadership; `close` of the leases waits for it. */
  runs<T>(work: () => Promise<T> | T): Promise<T> {
    return this.#lease.runs(work)
  }

  /** Asks the work to end, by aborting its signal. The leader leads, and its lease is renewed, until it resigns. */
  windUp(reason: unknown): void {
    this.#lease.windUp(reason)
  }

  /** Gives the leadership up. A second call does nothing. @throws OutcomeUnknownError: the lease then expires */
  async resign(): Promise<ReleaseOutcome> {
    return this.#lease.release()
  }

  /** Resigns without throwing, so that an error of the block is not hidden; at worst the lease expires. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lease[Symbol.asyncDispose]()
  }
}
