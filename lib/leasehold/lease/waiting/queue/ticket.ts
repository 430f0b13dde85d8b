import type { LeaseContext } from '../../context.ts'
import type { Ticket, TicketStore } from './ticket-store.ts'

/** How long a ticket lives without a refresh, in seconds: what a crashed waiter delays those behind it at most. */
const ticketTtlSeconds = 6
/**
 * From the start of one write to the start of the next. Cassandra expires whole seconds, so that a ticket may live for 5 s alone:
 * two refreshes in a row may be lost, and the third comes 4.5 s after the last write that Cassandra took.
 */
const refreshEveryMs = (ticketTtlSeconds * 1000) / 4
/** A removal that is lost costs the next in line a TTL: it is worth some tries. */
const removals = 3
const removeAgainMs = 200

/**
 * One ticket of a waiter: written, kept from expiring, and removed.
 *
 * Every write of one ticket is dated later than the one before it, also where the clock steps back, and the removal is
 * made last: so it outweighs every refresh, also one that reaches the store after it. The store must remember removals
 * for longer than a refresh can be under way (`gc_grace_seconds`).
 */
export class HeldTicket {
  readonly ticket: Ticket
  readonly #tickets: TicketStore
  readonly #context: LeaseContext
  readonly #dropped = new AbortController()
  #lastMicros: bigint
  #removal: Promise<void> | undefined

  constructor(tickets: TicketStore, context: LeaseContext, ticket: Ticket) {
    this.ticket = ticket
    this.#tickets = tickets
    this.#context = context
    this.#lastMicros = ticket.number - 1n
  }

  /** @throws StoreUnavailableError: it may be there all the same, so `drop` it */
  async take(): Promise<void> {
    // From the send: the row's time runs before its write is answered.
    void this.#keep()
    await this.#put()
  }

  /** Removes it; what cannot be removed expires. Resolves after the first try; later ones go on in the background. */
  drop(): Promise<void> {
    this.#dropped.abort()
    this.#removal ??= this.#remove()
    return this.#removal
  }

  async #keep(): Promise<void> {
    const { signal } = this.#dropped
    for (;;) {
      await this.#context.timer.sleep(refreshEveryMs, signal)
      if (signal.aborted) return
      // A refresh that fails is made up for by the next one, which does not wait: a lost answer takes 2.5 s, over HTTP 5 s.
      this.#put().catch(() => {})
    }
  }

  #put(): Promise<void> {
    return this.#tickets.put(this.ticket, ticketTtlSeconds, this.#micros())
  }

  async #remove(): Promise<void> {
    try {
      await this.#tickets.remove(this.ticket, this.#micros())
    } catch {
      this.#context.engine.background.add(this.#removeAgain())
    }
  }

  async #removeAgain(): Promise<void> {
    const { timer, engine } = this.#context
    for (let tries = 2; tries <= removals && !engine.background.stopped.aborted; tries++) {
      await timer.sleep(removeAgainMs, engine.background.stopped)
      try {
        return await this.#tickets.remove(this.ticket, this.#micros())
      } catch {
        // It expires.
      }
    }
  }

  #micros(): bigint {
    const nowMicros = BigInt(Math.floor(this.#context.clock.now().wallMs)) * 1000n
    this.#lastMicros = nowMicros > this.#lastMicros ? nowMicros : this.#lastMicros + 1n
    return this.#lastMicros
  }
}
