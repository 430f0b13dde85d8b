import { uniqueOwner } from '../lease/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import type { BakeryRegisters, Register } from './registers.ts'

/** The options of a bakery, defaults filled in. */
export interface BakeryContext {
  readonly registers: BakeryRegisters
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  readonly ttlSeconds: number
  readonly maxClockSkewMs: number
}

/**
 * One customer at the counter of one lock: a process id that is never used again, and the timestamps of its writes.
 *
 * Each register has one writer, so that the timestamps need only grow from write to write of this customer: Cassandra
 * compares them with no other customer's. A write that was given up and lands late has a smaller timestamp than the
 * customer's next write, and loses.
 */
export class Counter implements BakeryContext {
  readonly registers: BakeryRegisters
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  readonly ttlSeconds: number
  readonly maxClockSkewMs: number
  readonly name: string
  readonly customer = uniqueOwner()
  #lastMicros = 0n

  constructor(context: BakeryContext, name: string) {
    this.registers = context.registers
    this.clock = context.clock
    this.timer = context.timer
    this.random = context.random
    this.ttlSeconds = context.ttlSeconds
    this.maxClockSkewMs = context.maxClockSkewMs
    this.name = name
  }

  /** This customer's register, with a timestamp greater than that of every write before. */
  register(): Register {
    const nowMicros = BigInt(Math.floor(this.clock.now().wallMs)) * 1000n
    // The wall clock may be set back; the timestamps may not.
    this.#lastMicros = nowMicros > this.#lastMicros ? nowMicros : this.#lastMicros + 1n
    return { name: this.name, customer: this.customer, timestampMicros: this.#lastMicros }
  }

  /** Clears both registers, with one try each, for a customer that leaves unserved. What stays expires. */
  async leave(): Promise<void> {
    await Promise.allSettled([
      this.registers.clearNumber(this.register()),
      this.registers.clearChoosing(this.register()),
    ])
  }
}
