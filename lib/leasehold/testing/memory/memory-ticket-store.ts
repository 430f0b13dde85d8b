import { beforeTicket, StoreUnavailableError, type Ticket, type TicketStore } from '../../lease/index.ts'
import type { FakeClock } from '../fake-clock.ts'

/** The fault of one plain write or read. `late`: applied this many milliseconds after its client gave up. */
export type TicketFault = { kind: 'lost'; applied: boolean } | { kind: 'late'; afterMs: number }

/**
 * Tickets in memory with Cassandra's semantics: whole-second expiry, and the greater timestamp wins; of equal ones the
 * removal. Every answer may be lost, with the statement applied or not, at once or late.
 */
export class MemoryTicketStore implements TicketStore {
  /** Called before every statement; undefined: no fault. */
  fault: (kind: 'put' | 'remove' | 'first', name: string) => TicketFault | undefined = () => undefined
  /** The number of statements, by kind. */
  readonly sent = { put: 0, remove: 0, first: 0 }
  readonly #clock: FakeClock
  readonly #written = new Map<string, { ticket: Ticket; atMicros: bigint; expirySeconds: number }>()
  readonly #removed = new Map<string, bigint>()

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  put(ticket: Ticket, ttlSeconds: number, atMicros: bigint): Promise<void> {
    return this.#send('put', ticket.name, () => {
      const key = keyOf(ticket)
      const expirySeconds = this.#second() + ttlSeconds
      if ((this.#written.get(key)?.atMicros ?? -1n) <= atMicros)
        this.#written.set(key, { ticket, atMicros, expirySeconds })
    })
  }

  remove(ticket: Ticket, atMicros: bigint): Promise<void> {
    return this.#send('remove', ticket.name, () => {
      const key = keyOf(ticket)
      if ((this.#removed.get(key) ?? -1n) < atMicros) this.#removed.set(key, atMicros)
    })
  }

  first(name: string, from: bigint, limit: number): Promise<Ticket[]> {
    return this.#send('first', name, () =>
      this.queue(name)
        .filter(({ number }) => number >= from)
        .slice(0, limit),
    )
  }

  /** The queue, for tests: no statement, and no fault. */
  queue(name: string): Ticket[] {
    return [...this.#written.entries()]
      .filter(([key, { atMicros }]) => (this.#removed.get(key) ?? -1n) < atMicros)
      .filter(([, { ticket, expirySeconds }]) => ticket.name === name && this.#second() < expirySeconds)
      .map(([, { ticket }]) => ticket)
      .sort((one, other) => (beforeTicket(one, other) ? -1 : 1))
  }

  async #send<T>(kind: 'put' | 'remove' | 'first', name: string, run: () => T): Promise<T> {
    this.sent[kind]++
    const fault = this.fault(kind, name)
    await Promise.resolve()
    if (fault === undefined) return run()
    if (fault.kind === 'late') void this.#clock.sleep(fault.afterMs).then(run)
    else if (fault.applied) run()
    throw new StoreUnavailableError('No answer came (by order of the test).', {
      mayHaveHappened: kind !== 'first',
    })
  }

  #second(): number {
    return Math.floor(this.#clock.now().wallMs / 1000)
  }
}

const keyOf = ({ name, number, owner }: Ticket) => `${number}/${owner}/${name}`
