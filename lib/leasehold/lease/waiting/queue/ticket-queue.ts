/**
 * A queue before a lease: waiters try in the order in which they came, and only the first of them tries at all.
 *
 * 1. A waiter takes a ticket: its clock in microseconds, and an id of its own for ties. It writes it with a TTL, and
 *    again every quarter of that for as long as it waits.
 * 2. It reads the first tickets. How many stand before its own decides when it looks again: the next in line soon,
 *    the others the more seldom the further back they stand.
 * 3. First in line, it waits until the lease is free (`waiting/until-free.ts`); then looks once more at the queue.
 * 4. Still first: one conditional write. Refused: a client that does not queue was faster; go on at 3 after a pause.
 * 5. Acquired, or given up: the ticket is removed.
 *
 * A hand-over so costs two conditional writes, a release and an acquisition, however many wait.
 *
 * Guarantees: mutual exclusion is the lease's alone; whatever becomes of tickets, two never hold. A waiter that gives
 * up leaves nothing behind but, at worst, a ticket that expires. A queue at which every process is dead is gone after one
 * ticket TTL (6 s).
 * Does not guarantee: order against clients that do not queue, which may try at any time; nor against a ticket
 * that is still under way to the store while the lease is free; nor for a waiter whose ticket expires, because three of its writes in
 * a row are lost or its process stands still: those behind it pass it, and those that looked meanwhile may not see it again.
 * Assumes of clocks: nothing for safety. Order is that of the waiters' wall clocks. A waiter whose clock is ahead by d
 * stands behind all that come up to d after it; one whose clock is behind by d passes those that came up to d
 * before it, and those that looked more than a second (`lookBackMs`) past its number do not see it and try beside
 * it. A waiter that crashes as the first, or whose removal is lost, delays those behind it by a ticket's TTL at most.
 * Tuned by: the constants below. A pause is a twentieth of the time for which the queue has not moved, so that the delay
 * of a hand-over stays small against the tenure before it, and a lease that is held for minutes is looked at seldom.
 */
import { elapsedMs, type Moment } from '../../../time/index.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { LeaseContext } from '../../context.ts'
import { isLeaseholdError } from '../../errors.ts'
import { uniqueOwner } from '../../owner-id.ts'
import { Refusals } from './refusals.ts'
import { HeldTicket } from './ticket.ts'
import { beforeTicket, type Ticket, type TicketStore } from './ticket-store.ts'

/** How many tickets a look reads at most: its cost does not grow with the queue. */
const lookAt = 17
/** Tickets that are younger than the last look by less than this may still turn up below it. */
const lookBackMs = 1_000
/** Names whose lower bound is remembered; forgetting one costs a look from the bottom. */
const rememberedNames = 1_000
/** Between two hints of the first in line, in milliseconds. */
const hintPauseMs = { least: 5, most: 100 }
/** Between two looks, in milliseconds, for each ticket that stands before: 17 × 40 ms at most. */
const lookPauseMs = { least: 15, most: 40 }

export class TicketQueue {
  readonly #context: LeaseContext
  readonly #tickets: TicketStore
  /** Below it, no ticket was left at the last look: reads begin there, past the tombstones of those that were served. */
  readonly #floors = new BoundedMap<string, { micros: bigint; at: Moment }>(rememberedNames)
  /** Waits that asked for no order do without these for a while. */
  readonly #refusals: Refusals

  constructor(context: LeaseContext, tickets: TicketStore) {
    this.#context = context
    this.#tickets = tickets
    this.#refusals = new Refusals(context.clock)
  }

  /**
   * Whether a process waits for the lease. A queue that cannot be read is no news: false.
   * @param insists the caller asked for order: a queue that cannot be read is an error
   * @throws ClosedError; to a caller that insists StoreUnavailableError, StoreRefusedError
   */
  async hasWaiters(name: string, insists: boolean): Promise<boolean> {
    if (!insists && this.#refusals.has(name)) return false
    try {
      return (await this.#tickets.first(name, this.#floor(name), 1)).length > 0
    } catch (thrown) {
      this.#refusals.note(name, thrown)
      if (insists || !costsOrderAlone(thrown)) throw thrown
      return false
    }
  }

  /**
   * Takes a ticket.
   * @param insists the caller asked for order: a ticket that cannot be written is an error
   * @returns undefined where the ticket could not be written, or one of this name was refused a moment ago
   * @throws ClosedError; to a caller that insists StoreUnavailableError, StoreRefusedError, InvalidArgumentError
   */
  async join(name: string, insists: boolean): Promise<Place | undefined> {
    if (!insists && this.#refusals.has(name)) return undefined
    const ticket: Ticket = { name, number: this.micros(), owner: this.#context.ownerPrefix + uniqueOwner() }
    const held = new HeldTicket(this.#tickets, this.#context, ticket)
    try {
      await held.take()
    } catch (thrown) {
      await held.drop()
      this.#refusals.note(name, thrown)
      if (insists || !costsOrderAlone(thrown)) throw thrown
      return undefined
    }
    return new Place(this.#context, this, held)
  }

  /** The first tickets of a name, `lookAt` at most. @throws StoreUnavailableError, StoreRefusedError */
  async look(name: string): Promise<Ticket[]> {
    const at = this.#context.clock.now()
    const sentMicros = this.micros()
    const known = this.#floor(name)
    const found = await this.#tickets.first(name, known, lookAt).catch((thrown) => {
      this.#refusals.note(name, thrown)
      throw thrown
    })
    // A later ticket has a number above the time of this look, less what its maker's clock is behind.
    const lowest = found[0] !== undefined && found[0].number < sentMicros ? found[0].number : sentMicros
    const raised = lowest - BigInt(lookBackMs) * 1000n
    this.#floors.set(name, { micros: raised > known ? raised : known, at })
    return found
  }

  /** The wall clock in microseconds. It may step back: then this process stands where its clock says, and not where it was. */
  micros(): bigint {
    return BigInt(Math.floor(this.#context.clock.now().wallMs)) * 1000n
  }

  /**
   * A floor from before this clock stepped back does not count: waiters whose clocks were right have tickets below it.
   */
  #floor(name: string): bigint {
    const known = this.#floors.get(name)
    if (known === undefined) return 0n
    const now = this.#context.clock.now()
    const steppedBackMs = now.monotonicMs - known.at.monotonicMs - (now.wallMs - known.at.wallMs)
    return steppedBackMs > lookBackMs ? 0n : known.micros
  }
}

/**
 * Whether a caller that asked for no order goes on without tickets after this error of theirs. Leases work without tickets: a
 * missing table or right, a clock too far ahead for the server or a mistake of the store must not end the wait. A closed
 * session ends it.
 */
export const costsOrderAlone = (thrown: unknown): boolean => !isLeaseholdError(thrown, 'closed')

/** One waiter's place in the queue of one name. */
export class Place {
  readonly #context: LeaseContext
  readonly #queue: TicketQueue
  readonly #held: HeldTicket
  #ahead: number | undefined
  #front: string | undefined
  #changed: Moment
  /** Why the last look failed. */
  failed: unknown

  constructor(context: LeaseContext, queue: TicketQueue, held: HeldTicket) {
    this.#context = context
    this.#queue = queue
    this.#held = held
    this.#changed = context.clock.now()
  }

  /** Waits until it is the first in line. @returns false when the time is over, or the signal has aborted */
  async untilFirst(leftMs: () => number, signal: AbortSignal | undefined): Promise<boolean> {
    const { timer, random } = this.#context
    for (;;) {
      if (await this.isFirst()) return true
      const pauseMs =
        pauseBetweenLooksMs(this.#ahead ?? lookAt, this.#unchangedMs()) * (0.75 + 0.5 * random())
      if (leftMs() > 0) await timer.sleep(Math.max(1, Math.min(leftMs(), pauseMs)), signal)
      if (leftMs() <= 0 || signal?.aborted) return false
    }
  }

  /** One look at the queue. */
  async isFirst(): Promise<boolean> {
    const { ticket } = this.#held
    try {
      const found = await this.#queue.look(ticket.name)
      this.#ahead = found.filter((other) => beforeTicket(other, ticket)).length
      if (found[0]?.owner !== this.#front) this.#changed = this.#context.clock.now()
      this.#front = found[0]?.owner
      this.failed = undefined
    } catch (thrown) {
      // No news: the place in the queue is kept, and is worth more than an error now.
      if (!isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      this.failed = thrown
      this.#ahead ??= lookAt
      return false
    }
    return this.#ahead === 0
  }

  /** How long the first in line looks away from the lease. */
  readonly pauseMs = (): number => pauseBetweenLooksMs(0, this.#unchangedMs())

  /** Whether others stood before it at the last look. */
  get isBehind(): boolean {
    return this.#ahead !== undefined && this.#ahead > 0
  }

  /** Removes the ticket; what cannot be removed expires. */
  leave(): Promise<void> {
    return this.#held.drop()
  }

  #unchangedMs(): number {
    return elapsedMs(this.#changed, this.#context.clock.now())
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
