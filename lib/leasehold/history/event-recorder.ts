/**
 * Writes what the leases of this process report into the history.
 *
 * Guarantees: it never throws into a lease, and holds at most `waitingMax` events: when more wait, the new ones are dropped and
 * counted. A write whose answer was lost is sent again with the same id, so that it is one row. Of one lease at most
 * `eventsPerMinute` transitions a minute are written, which bounds the partition (`tables.lease_events`).
 * Does not guarantee: that what a process reported before it died was written; renewals are written when their minute is over.
 */
import type { LeaseEvents, LossReason, RecordedLease } from '../lease/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import {
  bareEvent,
  type EventStore,
  eventId,
  exactRenewalsMax,
  type LeaseEvent,
  type LeaseEventKind,
  minuteMs,
  type RenewalMinute,
} from './lease-event.ts'

const waitingMax = 1_000
const writesAtOnce = 4
const tries = 3
const pauseMs = 500
const eventsPerMinute = 60
/** Names whose rate is known. */
const namesMax = 10_000

interface EventRecorderDeps {
  readonly store: EventStore
  readonly clock: Clock
  readonly timer: Timer
}

interface Minute {
  readonly atMs: number
  readonly exact: { atMs: number; marginMs: number }[]
  count: number
  leastMarginMs: number
}

export class EventRecorder implements LeaseEvents {
  readonly #deps: EventRecorderDeps
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #minutes = new Map<string, Minute>()
  readonly #asked = new Set<string>()
  readonly #rates = new Map<string, { minute: number; count: number }>()
  readonly #running = new Set<Promise<void>>()
  #dropped = 0

  constructor(deps: EventRecorderDeps) {
    this.#deps = deps
  }

  /** Events that were not written: too many waited, or Cassandra did not take them. */
  get dropped(): number {
    return this.#dropped
  }

  acquired(lease: RecordedLease, token: bigint): void {
    this.#transition(lease, 'acquired', { token, version: token })
  }

  renewed(lease: RecordedLease, marginMs: number): void {
    const nowMs = this.#nowMs()
    const atMs = Math.floor(nowMs / minuteMs) * minuteMs
    let minute = this.#minutes.get(lease.owner)
    if (minute !== undefined && minute.atMs !== atMs) {
      this.#writeMinute(lease, minute)
      minute = undefined
    }
    if (minute === undefined) {
      minute = { atMs, exact: [], count: 0, leastMarginMs: Number.POSITIVE_INFINITY }
      this.#minutes.set(lease.owner, minute)
    }
    minute.count++
    minute.leastMarginMs = Math.min(minute.leastMarginMs, Math.round(marginMs))
    if (minute.exact.length < exactRenewalsMax)
      minute.exact.push({ atMs: nowMs, marginMs: Math.round(marginMs) })
  }

  ended(lease: RecordedLease, reason: LossReason): void {
    const { owner } = lease
    const minute = this.#minutes.get(owner)
    if (minute !== undefined) this.#writeMinute(lease, minute)
    this.#minutes.delete(owner)
    // It holds until it is released, which is reported too.
    if (reason === 'resign-requested') {
      this.#asked.add(owner)
      return
    }
    const wasAsked = this.#asked.delete(owner)
    if (reason === 'released') this.#transition(lease, wasAsked ? 'resigned' : 'released', {})
    else this.#transition(lease, 'lost', { reason })
  }

  async flush(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #transition(lease: RecordedLease, kind: LeaseEventKind, known: Partial<LeaseEvent>): void {
    if (this.#isTooFast(lease.name)) {
      this.#dropped++
      return
    }
    const { name, owner, ttlSeconds } = lease
    const event: LeaseEvent = {
      ...bareEvent,
      id: eventId('library', name, kind, owner),
      name,
      kind,
      source: 'library',
      atMs: this.#nowMs(),
      owner,
      ttlSeconds,
      ...known,
    }
    this.#write(() => this.#deps.store.write(event))
  }

  #writeMinute({ name, owner }: RecordedLease, { atMs, exact, count, leastMarginMs }: Minute): void {
    const minute: RenewalMinute = {
      id: eventId('library', name, 'renewals', owner, atMs),
      name,
      source: 'library',
      atMs,
      owner,
      count,
      exact: count > exact.length ? null : exact,
      leastMarginMs,
    }
    this.#write(() => this.#deps.store.writeRenewals(minute))
  }

  #isTooFast(name: string): boolean {
    const minute = Math.floor(this.#nowMs() / minuteMs)
    const rate = this.#rates.get(name)
    if (rate?.minute === minute) return ++rate.count > eventsPerMinute
    if (this.#rates.size >= namesMax) this.#rates.clear()
    this.#rates.set(name, { minute, count: 1 })
    return false
  }

  #write(work: () => Promise<void>): void {
    if (this.#waiting.length >= waitingMax) {
      this.#dropped++
      return
    }
    this.#waiting.push(work)
    if (this.#running.size >= writesAtOnce) return
    const running = this.#drain()
    this.#running.add(running)
    void running.then(() => this.#running.delete(running))
  }

  async #drain(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift())
      if (!(await this.#try(work))) this.#dropped++
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    for (let tried = 1; ; tried++) {
      try {
        await work()
        return true
      } catch {
        // Whatever it was, the lease goes on without it.
        if (tried >= tries) return false
        await this.#deps.timer.sleep(pauseMs)
      }
    }
  }

  #nowMs(): number {
    return Math.floor(this.#deps.clock.now().wallMs)
  }
}
