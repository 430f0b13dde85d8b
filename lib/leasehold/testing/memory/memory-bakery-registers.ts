/**
 * The bakery's registers in memory, with Cassandra's semantics: the greater timestamp wins in whatever order writes
 * land, a clearing is a write, and rows expire at whole seconds of the coordinator's clock. An answer may be lost, with
 * the write applied or not, at once or late.
 */
import type { BakeryRegisters, Numbered, Register } from '../../bakery/index.ts'
import { StoreUnavailableError } from '../../lease/index.ts'
import type { FakeClock } from '../fake-clock.ts'
import type { Fault } from './memory-store.ts'

type Kind = 'setChoosing' | 'clearChoosing' | 'setNumber' | 'clearNumber' | 'choosing' | 'numbers'

interface Cell {
  /** null: a tombstone. */
  number: bigint | null
  timestampMicros: bigint
  /** Visible while the coordinator's second is below it. */
  expirySeconds: number
}

/** By name, then by customer. */
type Table = Map<string, Map<string, Cell>>

export class MemoryBakeryRegisters implements BakeryRegisters {
  /** Called before every statement; undefined: no fault. */
  fault: (kind: Kind, customer: string | null) => Fault | undefined = () => undefined
  /** How long a statement takes, in milliseconds; it is applied half-way. */
  latencyMs: () => number = () => 0
  /** By how many milliseconds the next statement's coordinator is ahead of the clock. */
  skewMs: () => number = () => 0
  /** Statements that were sent, by kind. */
  readonly sent: Record<Kind, number> = {
    setChoosing: 0,
    clearChoosing: 0,
    setNumber: 0,
    clearNumber: 0,
    choosing: 0,
    numbers: 0,
  }
  readonly #clock: FakeClock
  readonly #choosing: Table = new Map()
  readonly #numbers: Table = new Map()

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  setChoosing(register: Register, ttlSeconds: number): Promise<void> {
    return this.#send('setChoosing', register.customer, () =>
      this.#write(this.#choosing, register, 1n, ttlSeconds),
    )
  }

  clearChoosing(register: Register): Promise<void> {
    return this.#send('clearChoosing', register.customer, () =>
      this.#write(this.#choosing, register, null, 0),
    )
  }

  setNumber(register: Register, number: bigint, ttlSeconds: number): Promise<void> {
    return this.#send('setNumber', register.customer, () =>
      this.#write(this.#numbers, register, number, ttlSeconds),
    )
  }

  clearNumber(register: Register): Promise<void> {
    return this.#send('clearNumber', register.customer, () => this.#write(this.#numbers, register, null, 0))
  }

  choosing(name: string): Promise<string[]> {
    return this.#send('choosing', null, () =>
      this.#shown(this.#choosing, name).map(({ customer }) => customer),
    )
  }

  numbers(name: string): Promise<Numbered[]> {
    return this.#send('numbers', null, () => this.#shown(this.#numbers, name))
  }

  async #send<T>(kind: Kind, customer: string | null, run: () => T): Promise<T> {
    this.sent[kind]++
    const fault = this.fault(kind, customer)
    const halfMs = this.latencyMs() / 2
    await (halfMs > 0 ? this.#clock.sleep(halfMs) : Promise.resolve())
    if (fault?.kind === 'late') void this.#clock.sleep(fault.afterMs).then(run)
    const answer = fault === undefined || (fault.kind === 'lost' && fault.applied) ? run() : undefined
    if (halfMs > 0) await this.#clock.sleep(halfMs)
    if (fault === undefined) return answer as T
    throw new StoreUnavailableError('No answer came (by order of the test).')
  }

  #write(table: Table, { name, customer, timestampMicros }: Register, number: bigint | null, ttl: number) {
    const row = table.get(name) ?? new Map<string, Cell>()
    table.set(name, row)
    const there = row.get(customer)
    if (there !== undefined && there.timestampMicros >= timestampMicros) return
    row.set(customer, { number, timestampMicros, expirySeconds: this.#second() + ttl })
  }

  #shown(table: Table, name: string): Numbered[] {
    const second = this.#second()
    return [...(table.get(name) ?? [])].flatMap(([customer, { number, expirySeconds }]) =>
      number !== null && second < expirySeconds ? [{ customer, number }] : [],
    )
  }

  #second(): number {
    return Math.floor((this.#clock.now().wallMs + this.skewMs()) / 1000)
  }
}
