/**
 * One candidate of a run: an `Election` of the library as any program would make it, over a session that breaks on demand.
 *
 * What it believes comes from the library alone, its `leads`, `renewed` and `lost` are noted when the library says so. The deadline
 * check of the lab does not reach into the library either: with the check off the candidate’s work goes on although its leadership’s
 * signal has aborted, as a program does that never looks at it (`naive-leader.ts`).
 */
import {
  CassandraResignRequests,
  CassandraTermStore,
  CassandraTicketStore,
  type Executor,
} from 'leasehold/cassandra'
import { Election, type Leadership, StoredTerms } from 'leasehold/election'
import { isLeaseholdError, type LeaseEvents, type LeaseStore, Leases } from 'leasehold/lease'
import { onAbort } from 'leasehold/time'
import type { Entry } from '../../../contract/lab/journal.ts'
import { addWhileLeading } from './additions.ts'
import type { Counters } from './counters.ts'
import { leadOn } from './naive-leader.ts'
import { Participant, type ParticipantDeps } from './participant.ts'
import { ownerPrefix } from './run-owner.ts'

type LostReason = Entry<'lost'>['reason']

/** What all candidates of a run share. */
interface Shared {
  /** The lease. */
  readonly name: string
  readonly ttlSeconds: number
  readonly maxClockSkewMs: number
  readonly counters: Counters
  storeOver(executor: Executor): LeaseStore
  /** Whether holders look at their deadline. */
  readonly looksAtDeadline: () => boolean
  /** Whether candidates wait in the order of coming. */
  readonly isFair: () => boolean
}

const closeWithinMs = 1_500
/** Longer than waiters need to notice a release. */
const standsBackMs = 1_000

/** A leadership that the candidate believes in. */
interface Led {
  readonly leadership: Leadership
  readonly token: bigint
  /** Aborts when the candidate stops to believe, with the reason. */
  readonly over: AbortController
}

export class Candidate extends Participant {
  readonly #shared: Shared
  readonly #leases: Leases
  readonly #election: Election
  readonly #store: LeaseStore
  #leave = new AbortController()
  #led: Led | undefined
  #standsBack = false
  #leading: Promise<void> = Promise.resolve()

  constructor(deps: ParticipantDeps, shared: Shared) {
    super(deps, (statement, params, executed) => shared.counters.answered(statement, params, executed))
    this.#shared = shared
    const { executor, time } = this
    const clocks = { clock: time, timer: time }
    this.#store = shared.storeOver(executor)
    this.#leases = new Leases({
      store: this.#store,
      maxClockSkewMs: shared.maxClockSkewMs,
      defaultTtlSeconds: shared.ttlSeconds,
      ownerPrefix: ownerPrefix(this.id, shared.counters.run),
      resignRequests: new CassandraResignRequests(executor),
      tickets: new CassandraTicketStore(executor),
      events: this.#events,
      ...clocks,
    })
    const terms = new StoredTerms({ store: new CassandraTermStore(executor), ...clocks })
    this.#election = new Election({ leases: this.#leases, group: shared.name, terms })
  }

  get believes(): boolean {
    return this.#led !== undefined
  }

  join(): void {
    this.journal.note({ kind: 'joined', candidate: this.id })
    this.#campaign()
  }

  leave(): void {
    this.time.run(() => {
      if (this.#leave.signal.aborted) return
      this.#leave.abort()
      this.#stop('resigned')
      this.journal.note({ kind: 'left', candidate: this.id })
    })
  }

  get hasLeft(): boolean {
    return this.#leave.signal.aborted
  }

  /** Gives the leadership up, and campaigns again, after a moment in which others can. */
  resign(): void {
    this.time.run(() => {
      if (this.#led === undefined) return
      this.#standsBack = true
      this.#stop('resigned')
    })
  }

  /** Begins its campaign again, in the run’s present order of waiting. A leader goes on. */
  campaignAgain(): void {
    this.time.run(() => {
      if (this.hasLeft || this.#led !== undefined) return
      this.#leave.abort()
      const before = this.#leading
      this.#leave = new AbortController()
      this.#campaign(before)
    })
  }

  /** The clock has changed: so has the time at which the deadline comes. */
  override skew(ms: number): void {
    super.skew(ms)
    const led = this.#led
    if (led === undefined || !led.leadership.held) return
    const { remainingMs } = led.leadership
    this.#noteRenewed(remainingMs, remainingMs)
  }

  /** Releases what it holds. The candidate cannot be used after it. */
  override async end(): Promise<void> {
    this.#stop('closed')
    this.#leave.abort()
    if (!this.time.hasCrashed) await Promise.race([this.#close(), this.closing(closeWithinMs)])
    await super.end()
  }

  async #close(): Promise<void> {
    await this.#leases.close({ waitMs: closeWithinMs })
  }

  #campaign(before: Promise<void> = Promise.resolve()): void {
    const { signal } = this.#leave
    this.#leading = before
      .then(() =>
        this.#election.lead((leadership) => this.#lead(leadership), {
          value: `${this.id} leads`,
          fair: this.#shared.isFair(),
          signal,
        }),
      )
      .catch((thrown) => {
        if (!isLeaseholdError(thrown)) throw thrown
        // Refused by Cassandra, or closed: it campaigns no more.
        if (!signal.aborted) this.leave()
      })
      .catch((error) => this.failed(error))
  }

  async #lead(leadership: Leadership): Promise<void> {
    const { token, term, owner, remainingMs } = leadership
    const led: Led = { leadership, token, over: new AbortController() }
    this.#led = led
    this.journal.note({
      kind: 'leads',
      candidate: this.id,
      owner,
      token: String(token),
      term: term === null ? null : String(term),
      deadlineMs: this.journal.nowMs + remainingMs,
    })
    const forget = onAbort(leadership.signal, () => void this.#aborted(led))
    const over = led.over.signal
    void addWhileLeading({
      candidate: this.id,
      executor: this.executor,
      time: this.time,
      journal: this.journal,
      counters: this.#shared.counters,
      token,
      believes: () => !over.aborted && (!this.#shared.looksAtDeadline() || leadership.held),
      signal: over,
    }).catch((error) => this.failed(error))
    await new Promise<void>((resolve) => onAbort(over, resolve))
    forget()
    if (!this.#standsBack) return
    this.#standsBack = false
    // It knows of its release before any other candidate can, and would win every time.
    await leadership.resign().catch(() => {})
    await this.time.sleep(standsBackMs, this.#leave.signal)
  }

  async #aborted(led: Led): Promise<void> {
    const { reason } = led.leadership.signal
    const why = lostReason(reason)
    if (why !== 'deadline' || this.#shared.looksAtDeadline()) return this.#stop(why)
    const end = await leadOn({
      ...this.#shared,
      owner: led.leadership.owner,
      value: led.leadership.value,
      store: this.#store,
      time: this.time,
      renewed: (remainingMs) => this.#noteRenewed(remainingMs, 0),
      signal: led.over.signal,
    })
    if (this.#led === led) this.#stop(end)
  }

  /** The first reason counts. */
  #stop(reason: LostReason): void {
    const led = this.#led
    if (led === undefined) return
    this.#led = undefined
    this.journal.note({ kind: 'lost', candidate: this.id, reason })
    led.over.abort()
  }

  #noteRenewed(remainingMs: number, marginMs: number): void {
    const deadlineMs = this.journal.nowMs + remainingMs
    this.journal.note({ kind: 'renewed', candidate: this.id, deadlineMs, marginMs })
  }

  /** The library reports a renewal before it moves the deadline on. */
  readonly #events: LeaseEvents = {
    acquired: () => {},
    renewed: ({ owner }, marginMs) =>
      queueMicrotask(() => {
        const led = this.#led
        if (led?.leadership.owner === owner) this.#noteRenewed(led.leadership.remainingMs, marginMs)
      }),
    ended: () => {},
    left: () => {},
    flush: async () => {},
  }
}

function lostReason(thrown: unknown): LostReason {
  if (isLeaseholdError(thrown, 'closed')) return 'closed'
  if (!isLeaseholdError(thrown, 'lease-lost')) return 'resigned'
  return thrown.reason === 'resign-requested' ? 'resigned' : thrown.reason
}
