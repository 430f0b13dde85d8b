import {
  answerWithinMs,
  contentionLimitMs,
  elapsedMs,
  incoherentTiming,
  type Moment,
  minKeptTtlSeconds,
  surelyElapsedMs,
} from '../../time/index.ts'
import { Acquisition, letGo } from '../acquire.ts'
import {
  InvalidArgumentError,
  isLeaseholdError,
  LeaseHeldError,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '../errors.ts'
import { checkIdleHintEveryMs, checkName, checkOptions, checkStorable, checkWaitMs } from '../limits.ts'
import { openForMs } from '../open-tries.ts'
import { type CloseOptions, LeaseProtocol, type LeaseProtocolOptions } from '../protocol.ts'
import type { LeaseView } from '../reading/lease-view.ts'
import type { WatchOptions } from '../reading/watch.ts'
import { type ReleaseOutcome, release } from '../release.ts'
import { LeftNames } from '../resign/left-names.ts'
import type { OnResignRequested } from '../resign/resign-listener.ts'
import type { ResignRequest } from '../resign/resign-requests.ts'
import type { Tenure } from '../tenure.ts'
import { TicketQueue } from '../waiting/queue/ticket-queue.ts'
import { acquireWaiting } from '../waiting/wait.ts'
import { KeepAlive } from './keep-alive.ts'
import { Lease, type LeaseKeeper } from './lease.ts'
import { StandingRows } from './standing-rows.ts'

export interface TryOptions {
  /** How long the lease lives without a renewal, in whole seconds: 6 or more (11 under Paxos v1), because it is kept alive. */
  ttlSeconds?: number | undefined
  /** Anything for others to read, up to 16 KiB, in a table with a value column. */
  value?: string | undefined
  /** Ends the try or the waiting at once. It does not end a lease that is held. */
  signal?: AbortSignal | undefined
  /**
   * true: wait in the order of coming, and never try past a waiter; tickets that are refused are an error. false: never
   * queue. Left out: a first try is made at once, and a waiter that was passed over queues, if it can. Needs `tickets`.
   */
  fair?: boolean | undefined
  /**
   * Called once for each request to resign that is addressed to this very tenure, beside a renewal. Left out: the lease is
   * released, its signal aborted before. A holder that has to wind up first does so here, and releases then. Needs
   * `resignRequests`. What it throws is a process warning, and the lease goes on.
   */
  onResignRequested?: OnResignRequested | undefined
}

export interface HoldOptions extends TryOptions {
  /** How long to wait for a holder to go, in milliseconds; 0: one try. Left out: for ever. */
  waitMs?: number | undefined
  /**
   * For a process that waits for hours: the longest time between two looks at a lease that does not change hands, in milliseconds.
   * The pause grows to a fifth of the time waited, and no longer than this; an early release is noticed as much later.
   * Left out: 100. A place in the queue has pauses of its own.
   */
  idleHintEveryMs?: number | undefined
}

export type HoldOutcome =
  | { kind: 'acquired'; lease: Lease }
  /**
   * `owner`: the holder; null: no holder at this moment, but other processes wait (`behindQueue`), or this one stands back. In a
   * table without an owner column it is null too.
   */
  | { kind: 'held'; owner: string | null; behindQueue?: true | undefined }

/** A name that is misspelt would wait for ever, and not say so. */
const holdOptions = [
  'ttlSeconds',
  'value',
  'waitMs',
  'idleHintEveryMs',
  'signal',
  'fair',
  'onResignRequested',
]

const closeWithinMs = 5_000
/** Between two tries to release a lease that no caller got, in milliseconds. */
const releaseAgainMs = 1_000

/**
 * Leases that are kept alive in the background until they are released or lost.
 *
 * @example
 * const leases = new Leases(session)
 * await using lease = await leases.acquire('billing/invoice-run', { waitMs: 10_000 })
 * await run({ signal: lease.signal, token: lease.token })
 */
export class Leases implements AsyncDisposable {
  /** The layer below, without a background: reading, listing, tenures by hand. */
  readonly protocol: LeaseProtocol
  readonly #keepAlive: KeepAlive
  readonly #keeper: LeaseKeeper
  readonly #queue: TicketQueue | undefined
  readonly #left: LeftNames
  readonly #releases = new WeakMap<Lease, Promise<ReleaseOutcome>>()
  /** Leases whose release was not answered, until their rows have expired. */
  readonly #unreleased = new StandingRows((lease) => this.#hasExpired(lease))
  /** Leases that were lost at their deadline and are not released, until their rows have expired. */
  readonly #lapsed = new StandingRows((lease) => this.#hasExpired(lease))

  /** @throws InvalidArgumentError on timing that leaves no time to hold a lease, or to keep one alive */
  constructor(options: LeaseProtocolOptions) {
    this.protocol = new LeaseProtocol(options)
    const { context } = this.protocol
    const { tickets } = options
    this.#queue = tickets && new TicketQueue(context, tickets)
    this.#left = new LeftNames(context)
    this.#keepAlive = new KeepAlive(context, (lease) => this.#dropped(lease))
    this.#keeper = {
      context,
      update: async (lease, value) => {
        checkStorable(value, context.store.columns)
        await this.#keepAlive.renewNow(lease, value)
      },
      release: (lease) => this.#release(lease),
    }
    if (options.defaultTtlSeconds !== undefined) this.#checkTtl(options.defaultTtlSeconds)
  }

  /**
   * Waits until the lease is acquired, and keeps it alive.
   * @throws LeaseHeldError when another owner holds it, or others stand first in its queue, and `waitMs` is over, the signal's reason, ClosedError,
   * InvalidArgumentError, StoreRefusedError; StoreUnavailableError, OutcomeUnknownError (it may still appear, about
   * half a minute later at worst, over the REST API a minute and a half, and then blocks the name for up to one TTL) when
   * `waitMs` is over
   */
  async acquire(name: string, options: HoldOptions = {}): Promise<Lease> {
    const { waitMs = Number.POSITIVE_INFINITY } = options
    const outcome = await this.#hold(name, options, waitMs)
    if (outcome.kind === 'held') throw new LeaseHeldError(name, outcome.owner, outcome)
    return outcome.lease
  }

  /** Tries once; that another owner holds the lease is an outcome. @throws as `acquire`, but for LeaseHeldError */
  async tryAcquire(name: string, options: TryOptions = {}): Promise<HoldOutcome> {
    return this.#hold(name, options, 0)
  }

  /** One lease at SERIAL, of any holder; null: there is no row. @throws StoreUnavailableError */
  async read(name: string): Promise<LeaseView | null> {
    return this.protocol.read(name)
  }

  /** Follows one lease, of any holder: see `LeaseProtocol.watch`. */
  watch(name: string, options: WatchOptions = {}): AsyncGenerator<LeaseView | null, void, void> {
    return this.protocol.watch(name, options)
  }

  /** What `acquire` would refuse before it asks the store. @throws InvalidArgumentError */
  check(name: string, options: HoldOptions = {}): void {
    const { context, defaultTtlSeconds } = this.protocol
    checkOptions(options, holdOptions)
    checkName(name)
    checkStorable(options.value ?? null, context.store.columns)
    if (options.waitMs !== undefined) checkWaitMs(options.waitMs)
    checkIdleHintEveryMs(options.idleHintEveryMs)
    // Said before anything is acquired: what could not be kept would stay for its TTL.
    if (!context.store.columns.owner)
      throw new InvalidArgumentError('A table without an owner column cannot keep a lease alive.')
    this.#checkTtl(options.ttlSeconds ?? defaultTtlSeconds)
    if (options.fair === true && this.#queue === undefined)
      throw new InvalidArgumentError(
        'A fair wait queues by tickets: make the leases with tickets, as new Leases(session) does.',
      )
  }

  /**
   * Releases everything that is held, and what was lost at its deadline while a renewal without an answer may keep the row;
   * ends all waiting with a ClosedError, and waits for what is under way. Under `withLock` and
   * `lead` the signal of the work aborts first, and its lease is released when the work has settled, or `waitMs` is over.
   * @param options `waitMs`: how long to wait for answers; left out: 5 s
   * @returns leases whose release is unknown, those of earlier releases too: they expire by themselves
   */
  async close({ waitMs = closeWithinMs }: CloseOptions = {}): Promise<Lease[]> {
    const { engine } = this.protocol.context
    engine.background.refuse('These leases are closed. Make new ones to acquire again.')
    for (const lease of this.#unended()) {
      const { work } = lease
      if (work === undefined) engine.background.add(this.#release(lease))
      else {
        // Its work ends under a lease that is still kept alive.
        lease.windUp(engine.background.closing.reason)
        engine.background.add(work.then(() => this.#release(lease)))
      }
    }
    const { events, clock } = this.protocol.context
    const began = clock.now()
    await this.protocol.close({ waitMs })
    const leftMs = Math.max(0, waitMs - elapsedMs(began, clock.now()))
    if (events !== undefined) await engine.background.within(leftMs, events.flush()).catch(() => {})
    // Work that did not end in time: from here on another holder may come in.
    for (const lease of this.#unended()) void this.#release(lease).catch(() => {})
    return this.#unreleased.standing
  }

  /** Held, or lost while its row may stand. */
  #unended(): Lease[] {
    return [...this.#keepAlive.leases, ...this.#lapsed.standing]
  }

  #dropped(lease: Lease): void {
    // After any other loss the row is another owner's, or is being released.
    if (lease.lossReason !== 'deadline') return
    this.#lapsed.add(lease)
  }

  /** Cassandra shows its row no more, whatever became of its release, and of renewals without an answer. */
  #hasExpired({ tenure }: Lease): boolean {
    const { clock, maxClockSkewMs } = this.protocol.context
    const now = clock.now()
    const { lastAnswered, lastUnanswered } = tenure.tries
    // From the start of its statement, by the clock of a coordinator that may be behind the one that wrote it.
    const rowMs = tenure.ttlSeconds * 1_000 + 2 * maxClockSkewMs
    const isOver = (since: Moment | undefined, ms: number) =>
      since === undefined || surelyElapsedMs(since, now) > ms
    // Not from the deadline: that counts from the send, and a statement may start seconds later.
    return isOver(lastAnswered, rowMs) && isOver(lastUnanswered, openForMs + rowMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #hold(name: string, options: HoldOptions, waitMs: number): Promise<HoldOutcome> {
    this.check(name, options)
    const { context, defaultTtlSeconds } = this.protocol
    const { engine, store, telemetry } = context
    const { ttlSeconds = defaultTtlSeconds, value = null, signal, fair, idleHintEveryMs } = options
    const acquisition = new Acquisition({ name, value, ttlSeconds, waits: waitMs > 0 })
    const answerMs = answerWithinMs(store.paxosVariant)
    // Registered before the caller gets it: `close` finds every lease that was acquired.
    const keep = ({ tenure }: { tenure: Tenure }): HoldOutcome => {
      const lease = new Lease(tenure, this.#keeper)
      context.telemetry.acquired(lease)
      if (tenure.token !== null) context.events?.acquired(lease, tenure.token)
      this.#keepAlive.add(lease, options.onResignRequested ?? resign, () => {
        this.#left.asked(lease)
        context.events?.asked?.(lease)
      })
      return { kind: 'acquired', lease }
    }
    const mayAppear = () => acquisition.isOpen(context.clock.now())
    let searched = Promise.resolve()
    // One search after the other: two at once would read each row twice a second.
    const search = () => {
      searched = searched.then(() => letGo(context, acquisition))
      engine.background.add(searched)
    }
    try {
      return await telemetry.step({ name: 'acquire', lease: name }, () =>
        engine.background.perform<HoldOutcome>(
          async (left) => {
            const outcome = await acquireWaiting(context, acquisition, {
              waitMs,
              fair,
              idleHintEveryMs,
              queue: this.#queue,
              left,
              takeLook: () => this.#left.takeLook(name),
              standBack: (leftMs) => this.#left.standBack(name, leftMs, left),
              mustStandBack: () => this.#left.mustStandBack(name),
              sawHolder: (owner, since) => this.#left.sawHolder(name, owner, since),
            })
            return outcome.kind === 'held' ? outcome : keep(outcome)
          },
          {
            signal,
            withinMs: waitMs + answerMs,
            overdue: () => {
              const { refusal } = acquisition
              // Each try was answered: only a slow read or hint was under way.
              if (!mayAppear() && !acquisition.isWon)
                return refusal === undefined
                  ? new StoreUnavailableError(`No answer came within ${answerMs} ms, and nothing was sent.`)
                  : new LeaseHeldError(name, refusal.owner)
              return new OutcomeUnknownError(
                `Whether ${JSON.stringify(name)} was acquired is unknown: no answer came within ${answerMs} ms. It is released if it still appears.`,
                name,
                acquisition.ghosts(context.clock.now()).at(-1) ?? null,
              )
            },
            afterwards: async (late) => {
              if (late?.kind === 'acquired') await this.#releaseUnclaimed(late.lease)
              // Won, and its token could not be read: the try was settled when the caller left, and is open again.
              else if (mayAppear()) search()
            },
          },
        ),
      )
    } catch (thrown) {
      // *Unavailable* promises that nothing was sent.
      if (!isLeaseholdError(thrown, 'store-unavailable') || !mayAppear()) throw thrown
      throw new OutcomeUnknownError(
        `Whether ${JSON.stringify(name)} was acquired is unknown: an answer was lost, and then Cassandra could not be reached. It is released if it still appears.`,
        name,
        acquisition.ghosts(context.clock.now()).at(-1) ?? null,
        { cause: thrown },
      )
    } finally {
      // A try whose answer was lost may still appear, also behind the lease of a later try: it is looked for, and released.
      if (mayAppear()) search()
    }
  }

  /** @throws InvalidArgumentError */
  #checkTtl(ttlSeconds: number): void {
    const { maxClockSkewMs, store } = this.protocol.context
    const wrong = incoherentTiming(ttlSeconds, maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
    const leastSeconds = minKeptTtlSeconds(maxClockSkewMs, store.paxosVariant)
    if (ttlSeconds < leastSeconds)
      throw new InvalidArgumentError(
        `A TTL of ${ttlSeconds} s is too short to be kept alive: ${leastSeconds} s or more are needed under Paxos ${store.paxosVariant}, where a renewal may be applied ${contentionLimitMs[store.paxosVariant]} ms late, with a clock skew of ${maxClockSkewMs} ms.`,
      )
  }

  /**
   * No caller got it, so that none can release it again after a release that was not sent. That is tried again for as long as a try
   * without an answer is looked for.
   */
  async #releaseUnclaimed(lease: Lease): Promise<void> {
    const { clock, timer, engine } = this.protocol.context
    const { stopped } = engine.background
    const began = clock.now()
    for (;;) {
      const failed = await lease.release().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      // After an unknown outcome the next call gets the same answer.
      const mayBeSent =
        isLeaseholdError(failed, 'store-unavailable') || isLeaseholdError(failed, 'store-refused')
      if (!mayBeSent || stopped.aborted || surelyElapsedMs(began, clock.now()) >= openForMs) return
      await timer.sleep(releaseAgainMs, stopped)
    }
  }

  /** Once; a second caller gets the same answer. A release that was not sent is sent by the next call. */
  #release(lease: Lease): Promise<ReleaseOutcome> {
    const before = this.#releases.get(lease)
    if (before !== undefined) return before
    this.#keepAlive.remove(lease)
    const { context } = this.protocol
    const lostBy = lease.lossReason
    let begin = () => {}
    // Noted before the loss is: a listener of the signal may release, too.
    const released = new Promise<void>((resolve) => {
      begin = resolve
    }).then(() => release(context, lease.tenure))
    this.#releases.set(lease, released)
    // Work under the lease stops before the next holder can begin.
    lease.lose('released')
    begin()
    context.engine.background.add(released)
    this.#lapsed.delete(lease)
    this.#unreleased.add(lease)
    const left = () => this.#left.left(lease.name)
    released.then(
      ({ kind }) => {
        this.#unreleased.delete(lease)
        // A lease that was lost before has ended with that. One whose release failed has not.
        const hasEnded = lostBy !== undefined && lostBy !== 'resign-requested' && lostBy !== 'released'
        if (kind === 'released' && !hasEnded) context.events?.ended(lease, 'released')
        else context.events?.left(lease)
        left()
      },
      (thrown) => {
        if (!isLeaseholdError(thrown, 'outcome-unknown')) this.#releases.delete(lease)
        context.events?.left(lease)
        left()
      },
    )
    return released
  }
}

/** What becomes of a request that no callback takes. An unknown release is left to the expiry. */
async function resign(request: ResignRequest, lease: Lease): Promise<void> {
  lease.lose('resign-requested', null, { cause: request })
  await lease.release().catch(() => {})
}
