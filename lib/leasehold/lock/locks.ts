/**
 * Locks on leases: run something while nobody else does.
 *
 * Guarantees: the function begins only while the lease is held, its signal aborts when the lease is lost, and the
 * first error is the one that is thrown, whatever the release says.
 * Does not guarantee: that a function which ignores its signal stops. A process that was paused in the middle of a
 * write goes on with it: pass the token along, and let the store of what is written refuse an older one.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
 */
import type { HoldOptions, HoldOutcome, Lease, Leases } from '../lease/index.ts'

/** What runs under a lock. `signal` aborts when the lock is lost; `token` grows from holder to holder. */
export type Locked<T> = (signal: AbortSignal, token: bigint) => Promise<T>

/**
 * @example
 * const locks = new Locks(leases)
 * const total = await locks.withLock('billing/invoice-run', { ttlSeconds: 30, waitMs: 60_000 }, async (signal, token) => {
 *   return await run({ signal, fence: token })
 * })
 */
export class Locks {
  readonly #leases: Leases

  constructor(leases: Leases) {
    this.#leases = leases
  }

  /**
   * Runs `work` while the lock is held, and releases it afterwards.
   * @throws what `work` throws, before anything else; LeaseLostError when the lock was lost although `work` did not
   * say so; else as `Leases.acquire`: LeaseHeldError, StoreUnavailableError, OutcomeUnknownError
   */
  async withLock<T>(name: string, work: Locked<T>): Promise<T>
  async withLock<T>(name: string, options: HoldOptions, work: Locked<T>): Promise<T>
  async withLock<T>(name: string, ...rest: [Locked<T>] | [HoldOptions, Locked<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
    await using lease = await this.#leases.acquire(name, options)
    const result = await work(lease.signal, lease.token)
    // What was done after the loss may have collided with the next holder: this is no success.
    lease.throwIfLost()
    return result
  }

  /** Acquires the lock, waiting `waitMs` for it. @throws LeaseHeldError when the time is over */
  async lock(name: string, options: HoldOptions = {}): Promise<Lease> {
    return this.#leases.acquire(name, options)
  }

  /** One try, unless `waitMs` says more: `acquired` with the lease, or `held` with whoever holds it. */
  async tryLock(name: string, options: HoldOptions = {}): Promise<HoldOutcome> {
    return this.#leases.tryAcquire(name, options)
  }
}
