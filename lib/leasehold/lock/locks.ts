/**
 * Locks on leases: run something while no other holder does.
 *
 * Guarantees: the function begins only while the lease is held, its lease's signal aborts when the lease is lost, and the
 * first error is the one that is thrown, whatever the release says and however long it takes. A holder that is asked to
 * resign overlaps with no other: the signal aborts, and the lease is kept alive, and released after the function has settled.
 * Does not guarantee: that a function which ignores its signal stops. A process that was paused in the middle of a
 * write goes on with it: pass the token along, and let the written store refuse an older one.
 * Nor that work is done once: a lock separates work at the same *time*. `once` is for work that is done once for a key.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
 */
import {
  type HoldOptions,
  type HoldOutcome,
  InvalidArgumentError,
  type Lease,
  LeaseLostError,
  type Leases,
  type ResignRequest,
  type TryOptions,
} from '../lease/index.ts'
import { type OnceOptions, type OnceOutcome, once } from './once.ts'

/**
 * What runs under a lock. After anything that took long, ask the lease: `lease.throwIfLost()`, `lease.held` and `lease.token`
 * look at the clock; a signal that was taken out of it earlier may abort late, after a stall.
 */
export type LockedWork<T> = (lease: Lease) => Promise<T> | T

/**
 * @example
 * const locks = new Locks(leases)
 * const total = await locks.withLock('billing/invoice-run', { waitMs: 60_000 }, async (lease) => {
 *   return await run({ signal: lease.signal, fence: lease.token })
 * })
 */
export class Locks {
  readonly #leases: Leases

  constructor(leases: Leases) {
    this.#leases = leases
  }

  /**
   * Waits for the lock, runs `work` while it is held, and releases it afterwards. When the holder is asked to resign, unless
   * `onResignRequested` says otherwise, the lease's signal aborts, and the lock is kept until `work` has settled.
   * @throws what `work` throws, before anything else; LeaseLostError when the lock was lost although `work` did not
   * say so, and in place of the AbortError of work that the lease's signal ended; else as `Leases.acquire`: LeaseHeldError, ClosedError, StoreUnavailableError, OutcomeUnknownError
   */
  async withLock<T>(name: string, work: LockedWork<T>): Promise<T>
  async withLock<T>(name: string, options: HoldOptions, work: LockedWork<T>): Promise<T>
  async withLock<T>(name: string, ...rest: [LockedWork<T>] | [HoldOptions, LockedWork<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
    if (typeof work !== 'function') throw new InvalidArgumentError('withLock needs a function to run.')
    const { onResignRequested = windUp } = options
    await using lease = await this.lock(name, { ...options, onResignRequested })
    try {
      return await lease.runs(async () => {
        const result = await work(lease)
        // What was done after the loss may have collided with the next holder: this is no success.
        lease.throwIfLost()
        return result
      })
    } catch (thrown) {
      throw becauseAborted(thrown, lease) ? lease.signal.reason : thrown
    }
  }

  /** Waits for the lock. @throws LeaseHeldError when `waitMs` is over; else as `Leases.acquire` */
  async lock(name: string, options: HoldOptions = {}): Promise<Lease> {
    return this.#leases.acquire(name, options)
  }

  /** Tries once: `acquired` with the lease, or `held` with its holder. @throws as `Leases.tryAcquire` */
  async tryLock(name: string, options: TryOptions = {}): Promise<HoldOutcome> {
    return this.#leases.tryAcquire(name, options)
  }

  /**
   * Runs `work` at most once for a key, in the whole fleet: the first caller of a key runs it, all others get *already*.
   * For jobs that several processes start at the same tick. See `once.ts` for what is promised.
   * @throws what `work` throws: it is not run again for this key; InvalidArgumentError; StoreUnavailableError (the work has
   * not run, and may be tried again); OutcomeUnknownError (the work has not run, and may never run for this key)
   * @example
   * const outcome = await locks.once('billing/invoice-run', { key: tickKey(60) }, () => console.log('once a minute'))
   * console.log(outcome.kind === 'ran' ? 'done here' : `done by ${outcome.by}`)
   */
  async once<T>(name: string, options: OnceOptions, work: () => Promise<T> | T): Promise<OnceOutcome<T>> {
    return once(this.#leases.protocol, name, options, work)
  }
}

/**
 * Whether work ended with the AbortError of a call that took its lease's signal. An error that only names the loss as its cause
 * is the work's own: it may say what is half done.
 */
const becauseAborted = (thrown: unknown, { signal }: Lease): boolean =>
  signal.aborted && thrown instanceof Error && thrown.name === 'AbortError'

/** The work ends under a lease that is still kept alive, which is released after it. */
function windUp(request: ResignRequest, lease: Lease): void {
  lease.windUp(new LeaseLostError(lease.name, lease.owner, 'resign-requested', null, { cause: request }))
}
