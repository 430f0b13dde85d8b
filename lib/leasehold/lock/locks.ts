/**
 * Locks on leases: run something while nobody else does.
 *
 * Guarantees: the function begins only while the lease is held, its signal aborts when the lease is lost, and the
 * first error is the one that is thrown, whatever the release says. A holder that is asked to resign overlaps with nobody:
 * the signal of its function aborts, and the lease is released after the function has settled.
 * Does not guarantee: that a function which ignores its signal stops. A process that was paused in the middle of a
 * write goes on with it: pass the token along, and let the store of what is written refuse an older one.
 * Assumes: `time/lease-time.ts`'s assumptions on clocks.
 */
import {
  type HoldOptions,
  type HoldOutcome,
  InvalidArgumentError,
  type Lease,
  LeaseHeldError,
  LeaseLostError,
  type Leases,
  type ResignRequest,
} from '../lease/index.ts'
import { FairQueue } from '../lease/waiting/fair-queue.ts'
import type { TicketStore } from '../lease/waiting/ticket-store.ts'

/** What runs under a lock. `signal` aborts when the lock is lost; `token` grows from holder to holder. */
export type Locked<T> = (signal: AbortSignal, token: bigint) => Promise<T>

export interface LockOptions extends HoldOptions {
  /** Wait in turn, in the order of coming, and do not disturb the holder: see `fair-queue.ts`. Needs `tickets`. */
  fair?: boolean
}

export interface LocksOptions {
  /** Where fair waiters queue. */
  tickets?: TicketStore
}

/**
 * @example
 * const locks = new Locks(leases, { tickets: new CassandraTicketStore(session) })
 * const total = await locks.withLock('billing/invoice-run', { ttlSeconds: 30, waitMs: 60_000 }, async (signal, token) => {
 *   return await run({ signal, fence: token })
 * })
 */
export class Locks {
  readonly #leases: Leases
  readonly #queue: FairQueue | undefined

  constructor(leases: Leases, { tickets }: LocksOptions = {}) {
    this.#leases = leases
    this.#queue = tickets && new FairQueue(leases, tickets)
  }

  /**
   * Runs `work` while the lock is held, and releases it afterwards. When the holder is asked to resign, unless
   * `onResignRequested` says otherwise, the signal aborts, and the lock is kept until `work` has settled.
   * @throws what `work` throws, before anything else; LeaseLostError when the lock was lost although `work` did not
   * say so; else as `Leases.acquire`: LeaseHeldError, StoreUnavailableError, OutcomeUnknownError
   */
  async withLock<T>(name: string, work: Locked<T>): Promise<T>
  async withLock<T>(name: string, options: LockOptions, work: Locked<T>): Promise<T>
  async withLock<T>(name: string, ...rest: [Locked<T>] | [LockOptions, Locked<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
    // Asked to resign, the work winds up under a lease that is still kept alive, and is released after it.
    const asked = new AbortController()
    const abort = (request: ResignRequest, { name, owner }: Lease) =>
      asked.abort(new LeaseLostError(name, owner, 'resign-requested', null, { cause: request }))
    const onResignRequested = options.onResignRequested ?? abort
    await using lease = await this.lock(name, { ...options, onResignRequested })
    const result = await work(AbortSignal.any([lease.signal, asked.signal]), lease.token)
    // What was done after the loss may have collided with the next holder: this is no success.
    lease.throwIfLost()
    return result
  }

  /** Acquires the lock, waiting `waitMs` for it. @throws LeaseHeldError when the time is over */
  async lock(name: string, options: LockOptions = {}): Promise<Lease> {
    const outcome = await this.tryLock(name, options)
    if (outcome.kind === 'held') throw new LeaseHeldError(name, outcome.owner)
    return outcome.lease
  }

  /**
   * One try, unless `waitMs` says more: `acquired` with the lease, or `held` with whoever holds it. A fair one does
   * not try past those who wait: then `owner` is null when nobody holds it at this moment.
   */
  async tryLock(name: string, options: LockOptions = {}): Promise<HoldOutcome> {
    const { fair = false, ...hold } = options
    if (!fair) return this.#leases.tryAcquire(name, hold)
    if (this.#queue === undefined)
      throw new InvalidArgumentError(
        'A fair lock queues by tickets: make it with new Locks(leases, { tickets: new CassandraTicketStore(session) }).',
      )
    return this.#queue.tryAcquire(name, hold)
  }
}
