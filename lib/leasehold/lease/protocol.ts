import {
  type Clock,
  defaultMaxClockSkewMs,
  incoherentTiming,
  type PaxosVariant,
  systemClock,
  systemTimer,
  type Timer,
} from '../time/index.ts'
import { type AcquireOutcome, acquire, type Tenure } from './acquire.ts'
import { type BreakOutcome, type BreakStep, breakLease } from './break.ts'
import { InvalidArgumentError } from './errors.ts'
import { ExpiryMemory } from './expiry-memory.ts'
import { type BreakAct, type ForcedAct, findBreak, findKill, type KillAct } from './find-out.ts'
import { type KillOutcome, type KillStep, kill } from './kill.ts'
import { type LeaseView, readLease } from './lease-view.ts'
import { checkName, checkOwner, checkValue, quarantineMark } from './limits.ts'
import { uniqueOwner } from './owner-id.ts'
import { type LeasePage, type PageRequest, readPage } from './page.ts'
import { type ReleaseOutcome, release } from './release.ts'
import { type Renewal, type RenewOutcome, renew } from './renew.ts'
import type { ResignRequests } from './resign-requests.ts'
import type { LeaseStore } from './store.ts'
import { type WatchOptions, watchLease } from './watch.ts'

export interface LeaseProtocolOptions {
  store: LeaseStore
  /** The largest difference between any two coordinators' clocks, plus this process's drift, in milliseconds. */
  maxClockSkewMs?: number
  /** The TTL of a lease that does not say, in seconds. */
  defaultTtlSeconds?: number
  /** For how long a lost answer is pursued, in milliseconds. */
  settleMs?: number
  /** As the cluster's `paxos_variant` is set; left out: v1, which makes quarantines 3 s longer. */
  paxosVariant?: PaxosVariant
  /** Where leases that are kept alive look for requests to resign; left out: they are not asked. */
  resignRequests?: ResignRequests
  clock?: Clock
  timer?: Timer
  random?: () => number
}

/** What the steps of the protocol share. */
export interface LeaseContext {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  readonly maxClockSkewMs: number
  readonly settleMs: number
  readonly paxosVariant: PaxosVariant
  readonly resignRequests: ResignRequests | undefined
  readonly expiries: ExpiryMemory
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
 * The lease protocol over one table: acquire, renew, release, read, list, break, kill.
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
      paxosVariant: options.paxosVariant ?? 'v1',
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

  /**
   * Forced release: deletes the lease if, and only if, `planned.owner` still holds it.
   * @throws StoreUnavailableError when the holder cannot be re-read: then nothing was sent
   */
  async kill(
    planned: { name: string; owner: string },
    onStep?: (step: KillStep) => void,
  ): Promise<KillOutcome> {
    return kill(this.context, { name: planned.name, owner: planned.owner }, onStep)
  }

  /**
   * Forced release with nothing that overlaps: puts a mark in the place of `planned.owner`, if it still holds the lease,
   * for as long as that holder may still believe. The lease can be acquired when the mark has expired.
   * @param quarantine `id`: used for this break alone, the plan's id mostly. `value`: for others to read meanwhile
   * @throws StoreUnavailableError when the holder cannot be re-read: then nothing was sent. InvalidArgumentError for a
   * lease without an expiry, and for a table without an owner column. StoreRefusedError over HTTP: there it takes a plan
   * @example
   * const protocol = new LeaseProtocol({ store, paxosVariant: 'v2' })
   * const held = await protocol.acquire('billing/stuck', { ttlSeconds: 30 })
   * if (held.kind === 'acquired') {
   *   const outcome = await protocol.break(held.tenure, { id: crypto.randomUUID(), value: 'INC-2214' })
   *   if (outcome.kind === 'broken') console.log(`free at ${new Date(outcome.safeAtMs).toISOString()}`)
   * }
   */
  async break(
    planned: { name: string; owner: string },
    quarantine: { id: string; value?: string | null },
    onStep?: (step: BreakStep) => void,
  ): Promise<BreakOutcome> {
    const { id, value = null } = quarantine
    const { name, owner } = planned
    checkName(name)
    checkOwner(owner)
    checkValue(value)
    return breakLease(this.context, { name, owner, mark: quarantineMark(id), value }, onStep)
  }

  /**
   * What became of a kill or a break whose process died before it heard: one SERIAL read, nothing is sent. See
   * `find-out.ts` for what can be known.
   * @throws StoreUnavailableError, StoreRefusedError: nothing is known yet, ask again; InvalidArgumentError
   */
  async findOut(act: KillAct): Promise<KillOutcome>
  async findOut(act: BreakAct): Promise<BreakOutcome>
  async findOut(act: ForcedAct): Promise<KillOutcome | BreakOutcome> {
    checkName(act.name)
    return act.mode === 'kill' ? findKill(this.context, act) : findBreak(this.context, act)
  }

  #checkTtl(ttlSeconds: number): void {
    const wrong = incoherentTiming(ttlSeconds, this.context.maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
  }
}
