import { noTelemetry, type Telemetry } from '../telemetry/index.ts'
import {
  type Clock,
  defaultMaxClockSkewMs,
  incoherentTiming,
  systemClock,
  systemTimer,
  type Timer,
} from '../time/index.ts'
import { type AcquireOutcome, Acquisition, acquire, letGo } from './acquire.ts'
import type { LeaseContext } from './context.ts'
import { defaultSettleMs, OutcomeEngine, type Resending } from './engine/outcome-engine.ts'
import { InvalidArgumentError } from './errors.ts'
import type { LeaseEvents } from './kept/lease-events.ts'
import {
  checkIdleHintEveryMs,
  checkName,
  checkNameToRead,
  checkOptions,
  checkOwner,
  checkStorable,
} from './limits.ts'
import { uniqueOwner } from './owner-id.ts'
import { ExpiryMemory } from './reading/expiry-memory.ts'
import { type LeaseView, readLease, readWritten } from './reading/lease-view.ts'
import { type LeasePage, type PageRequest, readPage } from './reading/page.ts'
import { type RowScan, scanRows } from './reading/scan-rows.ts'
import { type WatchOptions, watchLease } from './reading/watch.ts'
import { type Releasable, type ReleaseOutcome, release } from './release.ts'
import { type Renewal, type RenewOutcome, renew } from './renew.ts'
import type { ResignRequests } from './resign/resign-requests.ts'
import type { LeaseStore, ScanRange } from './store.ts'
import type { Tenure } from './tenure.ts'
import type { TicketStore } from './waiting/queue/ticket-store.ts'

export interface CloseOptions {
  /** How long to wait for what is under way, in milliseconds. */
  waitMs?: number | undefined
}

/** The TTL of a lease that does not say, in seconds. */
export const defaultTtlSeconds = 30

export interface LeaseProtocolOptions {
  store: LeaseStore
  /** The largest difference between any two coordinators' clocks, plus this process's drift, in milliseconds; 500 unless set. */
  maxClockSkewMs?: number | undefined
  /** The TTL of a lease that does not say, in seconds; 30 unless set. */
  defaultTtlSeconds?: number | undefined
  /** How the owners begin that are made here; nothing unless set. They stay unique. */
  ownerPrefix?: string | undefined
  /** For how long a lost answer is pursued once the wait for it has ended, in milliseconds; 20 s unless set. */
  settleMs?: number | undefined
  /** Where leases that are kept alive look for requests to resign; left out: they are not asked. */
  resignRequests?: ResignRequests | undefined
  /** Where waiters that were passed over queue; left out: waiting has no order. */
  tickets?: TicketStore | undefined
  /** Where metrics and traces go; left out: nowhere. A session brings its own. */
  telemetry?: Telemetry | undefined
  /** Where leases that are kept alive report their history; left out: nowhere. A session with `recordEvents` brings its own. */
  events?: LeaseEvents | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
}

export interface AcquireOptions extends Resending {
  /** How long the lease lives without a renewal, in whole seconds. */
  ttlSeconds?: number | undefined
  /** Anything for others to read, up to 16 KiB, in a table with a value column. */
  value?: string | undefined
  /** A chosen owner. Leave it out: a fresh, unique one is what makes late answers harmless. */
  owner?: string | undefined
  /**
   * The chosen owner was made for this acquisition, and is used by no other: when an answer was lost, a row of this owner that
   * was written since counts as acquired. Left out, it proves nothing, and the outcome is *held*.
   */
  ownerIsUnique?: boolean | undefined
  /** The row is a record that is neither renewed nor released: no token is read. */
  isRecord?: boolean | undefined
}

const acquireOptions = ['ttlSeconds', 'value', 'owner', 'ownerIsUnique', 'isRecord', 'mayResend']

/**
 * The lease protocol over one table: acquire, renew, release, read, list, watch.
 *
 * This is the layer without a background: nothing renews by itself, and a tenure is a value. Its deadline says until
 * when it may be relied on.
 *
 * @example
 * const leases = new LeaseProtocol(session)
 * const outcome = await leases.tryAcquire('billing/invoice-run', { ttlSeconds: 30 })
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
    const { store, resignRequests, tickets, events } = options
    const { maxClockSkewMs = defaultMaxClockSkewMs, settleMs = defaultSettleMs } = options
    const { ownerPrefix = '' } = options
    const { clock = systemClock, timer = systemTimer, random = Math.random } = options
    const { telemetry = noTelemetry } = options
    this.defaultTtlSeconds = options.defaultTtlSeconds ?? defaultTtlSeconds
    const wrong = incoherentTiming(this.defaultTtlSeconds, maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
    checkOwner(ownerPrefix + uniqueOwner())
    const engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry })
    const expiries = new ExpiryMemory()
    this.context = {
      store,
      clock,
      timer,
      random,
      maxClockSkewMs,
      ownerPrefix,
      engine,
      telemetry,
      events,
      resignRequests,
      tickets,
      expiries,
    }
  }

  /**
   * Tries once to acquire; does not wait for a holder to go.
   * @throws InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError,
   * OutcomeUnknownError (it may still appear, about half a minute later at worst, over the REST API a minute and a half, and
   * then blocks the name for up to one TTL)
   */
  async tryAcquire(name: string, options: AcquireOptions = {}): Promise<AcquireOutcome> {
    checkOptions(options, acquireOptions)
    const { ttlSeconds = this.defaultTtlSeconds, value = null, owner, ownerIsUnique, isRecord } = options
    const { mayResend } = options
    checkName(name)
    checkStorable(value, this.context.store.columns)
    if (owner !== undefined) checkOwner(owner)
    this.#checkTtl(ttlSeconds)
    const { engine, clock } = this.context
    engine.background.closing.throwIfAborted()
    const acquisition = new Acquisition({
      name,
      owner,
      ownerIsUnique,
      isRecord,
      value,
      ttlSeconds,
      mayResend,
    })
    try {
      return await this.context.telemetry.step({ name: 'acquire', lease: name }, () =>
        acquire(this.context, acquisition),
      )
    } finally {
      // A try whose answer was lost may still appear, also behind a tenure of a later try: it is looked for, and released.
      if (acquisition.isOpen(clock.now())) engine.background.add(letGo(this.context, acquisition))
    }
  }

  /**
   * Renews a tenure, for the TTL it was acquired with, with its value or a new one.
   * @throws OutcomeUnknownError when no answer came: the tenure still ends at its deadline, unless renewed again;
   * StoreUnavailableError with `failsAtOnce`; InvalidArgumentError
   */
  async renew(
    tenure: Tenure,
    options: Pick<Renewal, 'value' | 'keepsFoundValue' | 'failsAtOnce' | 'mayResend'> = {},
  ): Promise<RenewOutcome> {
    if (options.value !== undefined) checkStorable(options.value, this.context.store.columns)
    return renew(this.context, tenure, options)
  }

  /**
   * Releases a lease of one's own: a tenure, or its name and owner. In a table without an owner column give the tenure:
   * without its deadline, the delete hits any holder. Sent again after a lost answer, unless `mayResend` says no.
   * @throws StoreUnavailableError (nothing was sent), OutcomeUnknownError
   */
  async release(held: Releasable, { mayResend }: Resending = {}): Promise<ReleaseOutcome> {
    checkOwner(held.owner)
    return release(this.context, held, { mayResend })
  }

  /** One lease at SERIAL; null when Cassandra shows no row. The name may be of any length. @throws StoreUnavailableError */
  async read(name: string): Promise<LeaseView | null> {
    checkNameToRead(name)
    const { store, clock, expiries } = this.context
    return readLease(store, clock, expiries, name)
  }

  /**
   * The lease of an owner whose acquisition or renewal was answered just now: what a quorum shows, or a SERIAL read where that shows
   * another owner. It costs less than `read`. @throws StoreUnavailableError
   */
  async readWritten(name: string, owner: string): Promise<LeaseView | null> {
    return readWritten(this.context, name, owner)
  }

  /**
   * Follows one lease: its present state, then each change of owner or value, confirmed at SERIAL; null: no row. Mere
   * renewals are not yielded. It goes on through the store's unavailability, until the signal aborts.
   * @throws InvalidArgumentError at once; StoreRefusedError while iterating
   */
  watch(name: string, options: WatchOptions = {}): AsyncGenerator<LeaseView | null, void, void> {
    checkNameToRead(name)
    checkOptions(options, ['signal', 'idleHintEveryMs'])
    checkIdleHintEveryMs(options.idleHintEveryMs)
    return watchLease(this.context, name, options)
  }

  /** One page of leases in token order, each confirmed at SERIAL. @throws StoreUnavailableError */
  async page(request: PageRequest): Promise<LeasePage> {
    return readPage(this.context, request)
  }

  /**
   * Up to `limit` rows of the table in token order, by one quorum read: cheap, for a view of many leases. Nothing is decided by
   * them; `read` says what is true of one. @throws StoreUnavailableError
   */
  async scanRows(range: ScanRange): Promise<RowScan> {
    return scanRows(this.context, range)
  }

  /**
   * Ends what goes on in the background: the search for tries whose answers were lost. Waits for it, `waitMs` at most.
   */
  async close({ waitMs = 0 }: CloseOptions = {}): Promise<void> {
    const { engine } = this.context
    engine.background.refuse('These leases are closed. Make new ones to acquire again.')
    await engine.background.drain(waitMs)
  }

  #checkTtl(ttlSeconds: number): void {
    const wrong = incoherentTiming(ttlSeconds, this.context.maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
  }
}
