/**
 * A queue before a lease: waiters try in the order in which they came, and only the first of them tries at all.
 *
 * 1. A waiter takes a ticket: its clock in microseconds, and an id of its own for ties. It writes it with a TTL, and
 *    again every third of that for as long as it waits.
 * 2. It reads the first tickets. How many stand before its own decides when it looks again: the next in line soon,
 *    the others the more seldom the further back they stand.
 * 3. First in line, it looks at the lease by cheap hint reads, until none shows a holder; then once more at the queue.
 * 4. Still first: one conditional write. Refused: somebody barged in, or the hint was stale; go on at 3 after a pause.
 *    So it does when the write was not answered.
 * 5. Acquired, or given up: the ticket is removed.
 *
 * A hand-over so costs two conditional writes, a release and an acquisition, however many wait.
 *
 * Guarantees: mutual exclusion is the lease's alone; whatever becomes of tickets, two never hold. A waiter that gives
 * up leaves nothing behind but, at worst, a ticket that expires. A queue at which everybody is dead is gone after one
 * ticket TTL (6 s), without anybody's doing.
 * Does not guarantee: order against those who wait without `fair`, who may barge in at any time; nor against a ticket
 * that is still under way to the store while the lease is free.
 * Assumes of clocks: nothing for safety. Order is that of the waiters' wall clocks. A waiter whose clock is ahead by d
 * stands behind everybody who comes up to d after it; one whose clock is behind by d passes those who came up to d
 * before it, and those who looked more than a second (`lookBackMicros`) past its number do not see it and try beside
 * it. A waiter that crashes as the first, or whose removal is lost, delays those behind it by a ticket's TTL at most.
 * Tuned by: the constants below. A pause is a twentieth of the time for which the queue has not moved, so that the delay
 * of a hand-over stays small against the tenure before it, and a lease that is held for minutes is looked at seldom.
 */

import { elapsedMs } from '../../time/index.ts'
import { type HoldOptions, type HoldOutcome, isLeaseholdError, type Leases, uniqueOwner } from '../index.ts'
import { TicketHand } from './ticket.ts'
import { beforeTicket, type Ticket, type TicketStore } from './ticket-store.ts'

/** How many tickets a look reads at most: its cost does not grow with the queue. */
const lookAt = 17
/** Tickets that are younger than the last look by less than this may still turn up below it. */
const lookBackMicros = 1_000_000n
/** Names whose lower bound is remembered; forgetting one costs a look from the bottom. */
const rememberedNames = 1_000
/** Between two hints of the first in line, in milliseconds. */
const hintPauseMs = { least: 5, most: 100 }
/** Between two looks, in milliseconds, for each ticket that stands before: 17 × 40 ms at most. */
const lookPauseMs = { least: 15, most: 40 }
/** A hint comes from one replica, which may have missed the release: once in this time a SERIAL read asks instead. */
const confirmEveryMs = 1_000
/** After a try that was refused. */
const nextTryAfterMs = 25
const nextTryWithinMs = 225

export class FairQueue {
  readonly #leases: Leases
  readonly #tickets: TicketStore
  /** Below it, nobody was left at the last look: reads begin there, past the tombstones of those who were served. */
  readonly #floors = new Map<string, bigint>()
  #lastMicros = 0n

  constructor(leases: Leases, tickets: TicketStore) {
    this.#leases = leases
    this.#tickets = tickets
  }

  /** As `Leases.tryAcquire`, in turn. Without `waitMs`: one try, and none if anybody waits already. */
  async tryAcquire(name: string, options: HoldOptions): Promise<HoldOutcome> {
    const { waitMs = 0, signal, ...wanted } = options
    this.#leases.check(name, options)
    signal?.throwIfAborted()
    if (waitMs <= 0) {
      const [someone] = await this.#tickets.first(name, this.#floors.get(name) ?? 0n, 1)
      return someone === undefined ? this.#leases.tryAcquire(name, options) : this.#held(name)
    }
    const { clock, timer } = this.#leases.protocol.context
    const started = clock.now()
    const ticket: Ticket = { name, number: this.#micros(), owner: uniqueOwner() }
    const hand = new TicketHand(this.#tickets, timer, ticket, () => this.#micros())
    try {
      await hand.take()
      const leftMs = () => waitMs - elapsedMs(started, clock.now())
      const outcome = await this.#inTurn(ticket, { ...wanted, ...(signal && { signal }) }, leftMs)
      // Whoever is next may come forward; the work does not wait for that.
      if (outcome.kind === 'acquired') void hand.drop()
      return outcome
    } finally {
      await hand.drop({ unlessBegun: true })
    }
  }

  async #inTurn(ticket: Ticket, wanted: HoldOptions, leftMs: () => number): Promise<HoldOutcome> {
    const { clock, timer, random } = this.#leases.protocol.context
    const { name } = ticket
    const { signal } = wanted
    let ahead: number | undefined
    let front: string | undefined
    let changed = clock.now()
    let confirmed = changed
    let failed: unknown
    let unanswered: unknown

    const look = async () => {
      try {
        const found = await this.#look(name)
        ahead = found.filter((other) => beforeTicket(other, ticket)).length
        if (found[0]?.owner !== front) changed = clock.now()
        front = found[0]?.owner
        failed = undefined
      } catch (thrown) {
        // No news: the place in the queue is kept, and is worth more than an error now.
        if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
        failed = thrown
        ahead ??= lookAt
      }
      return failed === undefined ? ahead : Number.POSITIVE_INFINITY
    }
    const shownFree = async () => {
      if (elapsedMs(confirmed, clock.now()) < confirmEveryMs) return this.#hintsFree(name)
      confirmed = clock.now()
      return this.#readsFree(name)
    }

    for (;;) {
      signal?.throwIfAborted()
      let refused = false
      const looks = ahead !== 0 || failed !== undefined
      if (looks) await look()
      const first = ahead === 0 && failed === undefined
      if (first && (await shownFree()) && (looks || (await look()) === 0)) {
        unanswered = undefined
        try {
          const outcome = await this.#leases.tryAcquire(name, wanted)
          if (outcome.kind === 'acquired') return outcome
        } catch (thrown) {
          if (leftMs() <= 0) throw thrown
          this.#clearAway(name, thrown)
          unanswered = thrown
        }
        refused = true
      }
      const pauseMs = refused
        ? nextTryAfterMs + nextTryWithinMs * random()
        : pauseBetweenLooksMs(ahead ?? lookAt, elapsedMs(changed, clock.now())) * (0.75 + 0.5 * random())
      if (leftMs() > 0) await timer.sleep(Math.max(1, Math.min(leftMs(), pauseMs)), signal)
      signal?.throwIfAborted()
      if (leftMs() > 0) continue
      if (failed !== undefined) throw failed
      if (unanswered !== undefined) throw unanswered
      return this.#held(name)
    }
  }

  /**
   * After a try that was not answered. One that took effect unheard is released: nobody works under it, and it would
   * be in the way of all who wait, for its TTL. @throws what no retry mends
   */
  #clearAway(name: string, thrown: unknown): void {
    if (isLeaseholdError(thrown, 'store-unavailable')) return
    if (!isLeaseholdError(thrown, 'outcome-unknown')) throw thrown
    const { owner } = thrown
    if (owner !== null) void this.#leases.protocol.release({ name, owner }).catch(() => {})
  }

  /** The first tickets of a name, `lookAt` at most. */
  async #look(name: string): Promise<Ticket[]> {
    const sentMicros = this.#micros()
    const known = this.#floors.get(name) ?? 0n
    const found = await this.#tickets.first(name, known, lookAt)
    // Whoever comes later has a number above the time of this look, less what its clock is behind.
    const lowest = found[0] !== undefined && found[0].number < sentMicros ? found[0].number : sentMicros
    this.#floors.delete(name)
    this.#floors.set(name, lowest > known + lookBackMicros ? lowest - lookBackMicros : known)
    if (this.#floors.size > rememberedNames) this.#floors.delete(this.#floors.keys().next().value as string)
    return found
  }

  /** A cheap look; whatever goes wrong with it, it is no news. */
  async #hintsFree(name: string): Promise<boolean> {
    try {
      const hint = await this.#leases.protocol.context.store.hint(name)
      return (hint?.owner ?? null) === null
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'store-unavailable')) return false
      throw thrown
    }
  }

  async #readsFree(name: string): Promise<boolean> {
    try {
      return ((await this.#leases.protocol.read(name))?.owner ?? null) === null
    } catch (thrown) {
      if (isLeaseholdError(thrown, 'store-unavailable')) return false
      throw thrown
    }
  }

  /** `owner` null: nobody holds it at this moment, but others are waiting for it. */
  async #held(name: string): Promise<HoldOutcome> {
    const view = await this.#leases.protocol.read(name).catch(() => null)
    return { kind: 'held', owner: view?.owner ?? null }
  }

  /** The wall clock in microseconds, strictly increasing here although it may be stepped. */
  #micros(): bigint {
    const nowMicros = BigInt(Math.floor(this.#leases.protocol.context.clock.now().wallMs)) * 1000n
    this.#lastMicros = nowMicros > this.#lastMicros ? nowMicros : this.#lastMicros + 1n
    return this.#lastMicros
  }
}

/**
 * How long a waiter looks away.
 * @param ahead how many tickets stand before its own; 0: it looks at the lease
 * @param unchangedMs for how long the queue has not moved
 */
export function pauseBetweenLooksMs(ahead: number, unchangedMs: number): number {
  const { least, most } = ahead === 0 ? hintPauseMs : lookPauseMs
  return Math.max(1, ahead) * Math.min(most, Math.max(least, unchangedMs / 20))
}
