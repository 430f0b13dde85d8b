import type { Timer } from '../../time/index.ts'
import type { Ticket, TicketStore } from './ticket-store.ts'

/** How long a ticket lives without a refresh, in seconds: what a crashed waiter delays those behind it at most. */
export const ticketTtlSeconds = 6
/** Two refreshes may be lost; at a whole-second expiry the third comes just in time. */
const refreshEveryMs = (ticketTtlSeconds * 1000) / 3
/** A removal that is lost costs the next in line a TTL: it is worth some tries. */
const removals = 3
const removeAgainMs = 200

/**
 * One ticket in the hand of its waiter: written, kept from expiring, and removed.
 *
 * Every write is dated by the maker's strictly increasing clock, and the removal is made last: so it outweighs every
 * refresh, also one that reaches the store after it. The store must remember removals for longer than a refresh can
 * be under way (`gc_grace_seconds`).
 */
export class TicketHand {
  readonly #tickets: TicketStore
  readonly #timer: Timer
  readonly #ticket: Ticket
  readonly #micros: () => bigint
  readonly #dropped = new AbortController()
  #removal: Promise<void> | undefined

  constructor(tickets: TicketStore, timer: Timer, ticket: Ticket, micros: () => bigint) {
    this.#tickets = tickets
    this.#timer = timer
    this.#ticket = ticket
    this.#micros = micros
  }

  /** @throws StoreUnavailableError: it may be there all the same, so `drop` it */
  async take(): Promise<void> {
    await this.#tickets.put(this.#ticket, ticketTtlSeconds, this.#ticket.number)
    void this.#keep()
  }

  /** Removes it; what cannot be removed expires. With `unlessBegun`, a removal that is under way is not waited for. */
  async drop({ unlessBegun = false } = {}): Promise<void> {
    if (this.#removal !== undefined && unlessBegun) return
    this.#dropped.abort()
    this.#removal ??= this.#remove()
    await this.#removal
  }

  async #keep(): Promise<void> {
    const { signal } = this.#dropped
    for (;;) {
      await this.#timer.sleep(refreshEveryMs, signal)
      if (signal.aborted) return
      // A refresh that fails is made up for by the next one.
      await this.#tickets.put(this.#ticket, ticketTtlSeconds, this.#micros()).catch(() => {})
    }
  }

  /** One try is waited for. Whoever gives up while Cassandra is silent has waited long enough. */
  async #remove(): Promise<void> {
    try {
      await this.#tickets.remove(this.#ticket, this.#micros())
    } catch {
      void this.#removeAgain()
    }
  }

  async #removeAgain(): Promise<void> {
    for (let tries = 2; tries <= removals; tries++) {
      await this.#timer.sleep(removeAgainMs)
      try {
        return await this.#tickets.remove(this.#ticket, this.#micros())
      } catch {
        // It expires.
      }
    }
  }
}
