import { InvalidArgumentError, type Lease, type ReleaseOutcome } from '../lease/index.ts'

/**
 * A group that is led, until its leader resigns or loses it. Its loss aborts `signal`, with a `LeaseLostError`.
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
  readonly #values: boolean

  /** For elections alone. `values`: whether the table has a column for them. */
  constructor(lease: Lease, term: bigint | null, values: boolean) {
    this.group = lease.name
    this.owner = lease.owner
    this.term = term
    this.#lease = lease
    this.#values = values
  }

  /**
   * The fencing token, microseconds: greater than that of every earlier leader of this group.
   * @throws LeaseLostError when it is led no more: a token that is handed out late is what fencing is about
   */
  get token(): bigint {
    return this.#lease.token
  }

  /** Aborts when the leadership is lost or resigned, and under `lead` when its work is to end. */
  get signal(): AbortSignal {
    return this.#lease.signal
  }

  /** Whether it may be relied on at this moment. */
  get held(): boolean {
    return this.#lease.held
  }

  /** The value as last proclaimed. */
  get value(): string | null {
    return this.#lease.value
  }

  /** When it must be considered lost, on the monotonic clock, in milliseconds. It moves on with every renewal. */
  get deadlineMs(): number {
    return this.#lease.deadlineMs
  }

  /** Milliseconds that are left until then; 0 when it is lost. */
  get remainingMs(): number {
    return this.#lease.remainingMs
  }

  /** @throws LeaseLostError */
  throwIfLost(): void {
    this.#lease.throwIfLost()
  }

  /**
   * Lets the group know another value.
   * @throws LeaseLostError, OutcomeUnknownError (it may have been written; the leadership goes on),
   * InvalidArgumentError in a table without a value column
   */
  async proclaim(value: string | null): Promise<void> {
    checkProclaimable(value, this.#values)
    await this.#lease.update(value)
  }

  /** Asks the work to end, by its signal. The group is led, and the lease kept alive, until it is resigned. */
  windUp(reason: unknown): void {
    this.#lease.windUp(reason)
  }

  /** Gives it up; done twice, it does nothing. @throws OutcomeUnknownError: it then ends by itself */
  async resign(): Promise<ReleaseOutcome> {
    return this.#lease.release()
  }

  /** Resigns; what is unknown of it is left to the expiry, so that no error of the block is hidden. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lease[Symbol.asyncDispose]()
  }
}

/** A value that nobody can see is a mistake, not a detail. @throws InvalidArgumentError */
export function checkProclaimable(value: string | null, values: boolean): void {
  if (value !== null && !values)
    throw new InvalidArgumentError('This table has no value column: a leader can proclaim nothing in it.')
}
