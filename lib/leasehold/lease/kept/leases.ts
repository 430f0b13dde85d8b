import { incoherentTiming } from '../../time/index.ts'
import { InvalidArgumentError, LeaseHeldError } from '../errors.ts'
import { checkName, checkValue } from '../limits.ts'
import { uniqueOwner } from '../owner-id.ts'
import { LeaseProtocol, type LeaseProtocolOptions } from '../protocol.ts'
import { type ReleaseOutcome, release } from '../release.ts'
import { acquireWaiting } from '../waiting/wait.ts'
import { KeepAlive } from './keep-alive.ts'
import { Lease, type LeaseKeeper } from './lease.ts'
import type { OnResignRequested } from './resign-listener.ts'
import type { ResignRequest } from './resign-requests.ts'

/** Below this a renewal that fails once leaves no time for a second one, in seconds. */
export const minKeptTtlSeconds = 6

export interface HoldOptions {
  /** How long the lease lives without a renewal, in whole seconds: 6 or more, because it is kept alive. */
  ttlSeconds?: number
  /** Anything for others to read, up to 16 KiB. */
  value?: string
  /** How long to wait for a holder to go, in milliseconds; Infinity: for ever. Left out: one try. */
  waitMs?: number
  /** Ends the waiting; a lease that is held already is not touched by it. */
  signal?: AbortSignal
  /**
   * Called once for each request to resign that is addressed to this very tenure, beside a renewal. Left out: the lease is
   * released, its signal aborted before. Whoever has to wind up first does so here, and releases then. Needs
   * `resignRequests`. What it throws is a process warning, and the lease goes on.
   */
  onResignRequested?: OnResignRequested
}

export type HoldOutcome =
  | { kind: 'acquired'; lease: Lease }
  /** `owner`: who holds it. */
  | { kind: 'held'; owner: string | null }

/**
 * Leases that are kept alive in the background until they are released or lost.
 *
 * @example
 * const leases = new Leases({ store: new CassandraLeaseStore(session) })
 * await using lease = await leases.acquire('billing/invoice-run', { ttlSeconds: 30, waitMs: 10_000 })
 * await run({ signal: lease.signal, token: lease.token })
 */
export class Leases implements AsyncDisposable {
  /** The layer below, without a background: reading, listing, tenures by hand. */
  readonly protocol: LeaseProtocol
  readonly #keepAlive: KeepAlive
  readonly #keeper: LeaseKeeper
  readonly #releases = new WeakMap<Lease, Promise<ReleaseOutcome>>()

  /** @throws InvalidArgumentError on timing that leaves no time to hold a lease */
  constructor(options: LeaseProtocolOptions) {
    this.protocol = new LeaseProtocol(options)
    this.#keepAlive = new KeepAlive(this.protocol.context)
    this.#keeper = {
      clock: this.protocol.context.clock,
      update: async (lease, value) => {
        checkValue(value)
        await this.#keepAlive.renewNow(lease, value)
      },
      release: (lease) => this.#release(lease),
    }
  }

  /**
   * Acquires a lease and keeps it alive.
   * @throws LeaseHeldError when somebody else holds it and the waiting is over, the signal's reason,
   * InvalidArgumentError, StoreRefusedError; StoreUnavailableError, OutcomeUnknownError (it may still appear, for one
   * TTL at most) when the waiting is over
   */
  async acquire(name: string, options: HoldOptions = {}): Promise<Lease> {
    const outcome = await this.tryAcquire(name, options)
    if (outcome.kind === 'held') throw new LeaseHeldError(name, outcome.owner)
    return outcome.lease
  }

  /** As `acquire`; that somebody else holds it is an outcome. */
  async tryAcquire(name: string, options: HoldOptions = {}): Promise<HoldOutcome> {
    this.check(name, options)
    const { defaultTtlSeconds, context } = this.protocol
    const { ttlSeconds = defaultTtlSeconds, value = null, waitMs = 0, signal } = options
    const make = () => ({ name, owner: uniqueOwner(), chosen: false, value, ttlSeconds })
    const outcome = await acquireWaiting(context, make, { waitMs, ...(signal && { signal }) })
    if (outcome.kind === 'held') return outcome
    const lease = new Lease(outcome.tenure, this.#keeper)
    this.#keepAlive.add(lease, options.onResignRequested ?? resign)
    return { kind: 'acquired', lease }
  }

  /** What `acquire` would refuse before it asks the store. @throws InvalidArgumentError */
  check(name: string, options: HoldOptions = {}): void {
    const { defaultTtlSeconds, context } = this.protocol
    const { ttlSeconds = defaultTtlSeconds, value = null } = options
    checkName(name)
    checkValue(value)
    // Said before anything is acquired: what could not be kept would stay for its TTL.
    if (!context.store.columns.owner)
      throw new InvalidArgumentError('A table without an owner column cannot keep a lease alive.')
    const wrong = incoherentTiming(ttlSeconds, context.maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
    if (ttlSeconds < minKeptTtlSeconds)
      throw new InvalidArgumentError(
        `A TTL of ${ttlSeconds} s is too short to be kept alive; ${minKeptTtlSeconds} s or more are needed.`,
      )
  }

  /** Releases everything that is held. @returns leases whose release is unknown: they expire by themselves */
  async close(): Promise<Lease[]> {
    const held = this.#keepAlive.leases
    const outcomes = await Promise.allSettled(held.map((lease) => lease.release()))
    return held.filter((_, i) => outcomes[i]?.status === 'rejected')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Once; whoever asks again gets the same answer. */
  #release(lease: Lease): Promise<ReleaseOutcome> {
    const before = this.#releases.get(lease)
    if (before !== undefined) return before
    this.#keepAlive.remove(lease)
    // Whoever still works under it stops before the next holder can begin.
    lease.lose('released')
    const released = release(this.protocol.context, { name: lease.name, owner: lease.owner })
    this.#releases.set(lease, released)
    return released
  }
}

/** What becomes of a request that nobody else listens to. An unknown release is left to the expiry. */
async function resign(request: ResignRequest, lease: Lease): Promise<void> {
  lease.lose('resign-requested', null, { cause: request })
  await lease.release().catch(() => {})
}
