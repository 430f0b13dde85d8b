/**
 * Writes what the leases of this process report into the history.
 *
 * Guarantees: it never throws into a lease, and holds at most `waitingMax` events: when more wait, the new ones are dropped and
 * counted. A write whose answer was lost is sent again with the same id, so that it is one row. Of one lease at most
 * `eventsPerMinute` transitions a minute are written, which bounds the partition (`tables.lease_events`). For what was dropped
 * it writes a gap, in the next minute in which a write succeeds, or when it is flushed.
 * Does not guarantee: that what a process reported before it died was written, gaps included; renewals are written when
 * their minute is over. Gaps of more than `namesMax` names at a time (docs/guarantees.md, "The history") are counted, and not
 * written: gaps stand in a partition of their lease, and one for all names would cost each reader a second read a day.
 */
import { BoundedMap, type LeaseEvents, type LossReason, type RecordedLease } from '../lease/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import {
  bareEvent,
  dayMs,
  type EventGap,
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
/** Names whose rate is known, or whose gaps wait. */
const namesMax = 10_000

interface EventRecorderDeps {
  readonly store: EventStore
  readonly clock: Clock
  readonly timer: Timer
}

/** What is missing in the history if it is not written. Times in milliseconds since the epoch, `toMs` exclusive. */
type Missing = Omit<EventGap, 'id' | 'source'>

interface Waiting {
  readonly work: () => Promise<void>
  readonly missing: Missing
}

interface Minute {
  readonly atMs: number
  readonly exact: { atMs: number; marginMs: number }[]
  count: number
  leastMarginMs: number
}

export class EventRecorder implements LeaseEvents {
  readonly #deps: EventRecorderDeps
  readonly #waiting: Waiting[] = []
  /** Gaps that are not written yet, by the name and by what is missing. */
  readonly #gaps = new Map<string, Missing>()
  readonly #minutes = new Map<string, Minute>()
  readonly #asked = new Set<string>()
  /** In the order of their last events: the name that is forgotten is one that is slow. */
  readonly #rates = new BoundedMap<string, { minute: number; count: number }>(namesMax)
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
    // A minute before this one was written already. It comes again where the wall clock steps back: a second row of it
    // would replace the first.
    if (minute !== undefined && minute.atMs < atMs) {
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

  asked({ owner }: RecordedLease): void {
    this.#asked.add(owner)
  }

  ended(lease: RecordedLease, reason: LossReason): void {
    const { owner } = lease
    this.#endMinute(lease)
    // It holds until it is released, which is reported too.
    if (reason === 'resign-requested') return
    const wasAsked = this.#asked.delete(owner)
    if (reason === 'released') this.#transition(lease, wasAsked ? 'resigned' : 'released', {})
    else this.#transition(lease, 'lost', { reason })
  }

  left(lease: RecordedLease): void {
    this.#endMinute(lease)
    this.#asked.delete(lease.owner)
  }

  #endMinute(lease: RecordedLease): void {
    const minute = this.#minutes.get(lease.owner)
    if (minute !== undefined) this.#writeMinute(lease, minute)
    this.#minutes.delete(lease.owner)
  }

  async flush(): Promise<void> {
    do {
      while (this.#running.size > 0) await Promise.all(this.#running)
      await this.#writeGaps(Number.POSITIVE_INFINITY)
      // An event that came while gaps were written has a writer now.
    } while (this.#running.size > 0)
  }

  #transition(lease: RecordedLease, kind: LeaseEventKind, known: Partial<LeaseEvent>): void {
    const { name, owner, ttlSeconds } = lease
    const secondMs = Math.floor(this.#nowMs() / 1000) * 1000
    const missing: Missing = { name, fromMs: secondMs, toMs: secondMs + 1000, what: 'everything' }
    if (this.#isTooFast(name)) {
      this.#drop(missing)
      return
    }
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
    this.#write({ work: () => this.#deps.store.write(event), missing })
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
    const missing: Missing = { name, fromMs: atMs, toMs: atMs + minuteMs, what: 'renewals' }
    this.#write({ work: () => this.#deps.store.writeRenewals(minute), missing })
  }

  #isTooFast(name: string): boolean {
    const minute = Math.floor(this.#nowMs() / minuteMs)
    const rate = this.#rates.get(name)
    const count = rate?.minute === minute ? rate.count + 1 : 1
    this.#rates.set(name, { minute, count })
    return count > eventsPerMinute
  }

  #write(waiting: Waiting): void {
    if (this.#waiting.length >= waitingMax) {
      this.#drop(waiting.missing)
      return
    }
    this.#waiting.push(waiting)
    this.#begin()
  }

  #begin(): void {
    if (this.#waiting.length === 0 || this.#running.size >= writesAtOnce) return
    const running = this.#drain()
    this.#running.add(running)
    void running.then(() => {
      this.#running.delete(running)
      // While all writers write gaps, an event finds none of them free, and they do not look again.
      this.#begin()
    })
  }

  async #drain(): Promise<void> {
    let isWritten = false
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      isWritten = await this.#try(next.work)
      if (!isWritten) this.#drop(next.missing)
    }
    if (isWritten) await this.#writeGaps(Math.floor(this.#nowMs() / minuteMs) * minuteMs)
  }

  #drop(missing: Missing): void {
    this.#dropped++
    this.#note(missing)
  }

  /** Joined to what was missing of the same lease before, and is not written yet. */
  #note(missing: Missing): void {
    const key = JSON.stringify([missing.name, missing.what])
    const before = this.#gaps.get(key)
    if (before === undefined && this.#gaps.size >= namesMax) return
    const fromMs = Math.min(missing.fromMs, before?.fromMs ?? missing.fromMs)
    const toMs = Math.max(missing.toMs, before?.toMs ?? missing.toMs)
    this.#gaps.set(key, { ...missing, fromMs, toMs })
  }

  /** Writes the gaps that ended by then: one that may still grow would be a row for each event. */
  async #writeGaps(untilMs: number): Promise<void> {
    for (const [key, gap] of [...this.#gaps]) {
      if (gap.toMs > untilMs || !this.#gaps.delete(key)) continue
      for (const part of byDay(gap)) {
        const { name, what, fromMs, toMs } = part
        const id = eventId('library', name, 'gap', what, fromMs, toMs)
        if (await this.#try(() => this.#deps.store.writeGap({ ...part, id, source: 'library' }))) continue
        this.#note({ ...gap, fromMs })
        return
      }
    }
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

/** A gap is looked for on the day on which it begins. */
function byDay(gap: Missing): Missing[] {
  const parts: Missing[] = []
  for (let fromMs = gap.fromMs; fromMs < gap.toMs; ) {
    const toMs = Math.min(gap.toMs, (Math.floor(fromMs / dayMs) + 1) * dayMs)
    parts.push({ ...gap, fromMs, toMs })
    fromMs = toMs
  }
  return parts
}
