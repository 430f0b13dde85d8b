import {
  type Clock,
  defaultMaxClockSkewMs,
  incoherentTiming,
  systemClock,
  systemTimer,
  type Timer,
} from '../time/index.ts'
import { type AcquireOutcome, acquire } from './acquire.ts'
import type { LeaseContext } from './context.ts'
import { InvalidArgumentError } from './errors.ts'
import { ExpiryMemory } from './expiry-memory.ts'
import type { ResignRequests } from './kept/resign-requests.ts'
import { type LeaseView, readLease } from './lease-view.ts'
import { checkName, checkOwner, checkValue } from './limits.ts'
import { uniqueOwner } from './owner-id.ts'
import { type LeasePage, type PageRequest, readPage } from './page.ts'
import { type ReleaseOutcome, release } from './release.ts'
import { type Renewal, type RenewOutcome, renew } from './renew.ts'
import type { LeaseStore } from './store.ts'
import type { Tenure } from './tenure.ts'
import { type WatchOptions, watchLease } from './watch.ts'

export interface LeaseProtocolOptions {
  store: LeaseStore
  /** The largest difference between any two coordinators' clocks, plus this process's drift, in milliseconds. */
  maxClockSkewMs?: number
  /** The TTL of a lease that does not say, in seconds. */
  defaultTtlSeconds?: number
  /** For how long a lost answer is pursued, in milliseconds. */
  settleMs?: number
  /** Where leases that are kept alive look for requests to resign; left out: they are not asked. */
  resignRequests?: ResignRequests
  clock?: Clock
  timer?: Timer
  random?: () => number
}

export interface AcquireOptions {
  /** How long the lease lives without a renewal, in whole seconds. */
  ttlSeconds?: number
  /** Anything for others to read, up to 16 KiB. */
  value?: string
  /** A chosen owner. Leave it out: a fresh, unique one is what makes late answers harmless. */
  owner?: string
}

/**
 * The lease protocol over one table: acquire, renew, release, read, list, watch.
 *
 * This is the layer without a background: nothing renews by itself, and a tenure is a value. Its deadline says until
 * when it may be relied on.
 *
 * @example
 * const cassandra = await connect({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'leasehold' })
 * const leases = new LeaseProtocol({ store: new CassandraLeaseStore(cassandra) })
 * const outcome = await leases.acquire('billing/invoice-run', { ttlSeconds: 30 })
 * if (outcome.kind === 'acquired') {
 *   const { token, deadline } = outcome.tenure
 *   // … work, checking the deadline …
 *   await leases.release(outcome.tenure)
 * }
 */
export class LeaseProtocol {
  /** For the layers above. */
  readonly context: LeaseContext
  readonly defaultTtlSeconds: number

  /** @throws InvalidArgumentError on timing that leaves no time to hold a lease */
  constructor(options: LeaseProtocolOptions) {
    const { maxClockSkewMs = defaultMaxClockSkewMs, defaultTtlSeconds = 180, settleMs = 20_000 } = options
    const wrong = incoherentTiming(defaultTtlSeconds, maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
    this.defaultTtlSeconds = defaultTtlSeconds
    this.context = {
      store: options.store,
      clock: options.clock ?? systemClock,
      timer: options.timer ?? systemTimer,
      random: options.random ?? Math.random,
      maxClockSkewMs,
      settleMs,
      resignRequests: options.resignRequests,
      expiries: new ExpiryMemory(),
    }
  }

  /**
   * Tries once to acquire; does not wait for a holder to go.
   * @throws InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError,
   * OutcomeUnknownError (it may still appear, for one TTL at most)
   */
  async acquire(name: string, options: AcquireOptions = {}): Promise<AcquireOutcome> {
    const { ttlSeconds = this.defaultTtlSeconds, value = null, owner } = options
    checkName(name)
    checkValue(value)
    if (owner !== undefined) checkOwner(owner)
    this.#checkTtl(ttlSeconds)
    const chosen = owner !== undefined
    return acquire(this.context, { name, owner: owner ?? uniqueOwner(), chosen, value, ttlSeconds })
  }

  /**
   * Renews a tenure, for the TTL it was acquired with, with its value or a new one.
   * @throws OutcomeUnknownError when no answer came: the tenure still ends at its deadline, unless renewed again
   */
  async renew(tenure: Tenure, options: Pick<Renewal, 'value'> = {}): Promise<RenewOutcome> {
    if (options.value !== undefined) checkValue(options.value)
    return renew(this.context, tenure, options)
  }

  /** Releases a lease of one's own. @throws StoreUnavailableError (nothing was sent), OutcomeUnknownError */
  async release(held: { name: string; owner: string }): Promise<ReleaseOutcome> {
    checkOwner(held.owner)
    return release(this.context, { name: held.name, owner: held.owner })
  }

  /** One lease at SERIAL; null when Cassandra shows no row. @throws StoreUnavailableError */
  async read(name: string): Promise<LeaseView | null> {
    checkName(name)
    const { store, clock, expiries } = this.context
    return readLease(store, clock, expiries, name)
  }

  /**
   * Follows one lease: what is there now, then each change of owner or value, confirmed at SERIAL; null: no row. Mere
   * renewals are not yielded. It goes on through the store's unavailability, until the signal aborts.
   * @throws InvalidArgumentError at once; StoreRefusedError while iterating
   */
  watch(name: string, options: WatchOptions = {}): AsyncGenerator<LeaseView | null, void, void> {
    checkName(name)
    return watchLease(this.context, name, options)
  }

  /** One page of leases in token order, each confirmed at SERIAL. @throws StoreUnavailableError */
  async page(request: PageRequest): Promise<LeasePage> {
    return readPage(this.context, request)
  }

  #checkTtl(ttlSeconds: number): void {
    const wrong = incoherentTiming(ttlSeconds, this.context.maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
  }
}
