/**
 * A customer of the bakery: the library’s `Bakery` on the real registers, whose calls are noted as the ten steps that they are
 * (`leasehold/bakery` numbers them).
 */
import { Bakery, type BakeryRegisters, goesBefore } from 'leasehold/bakery'
import { CassandraBakeryRegisters } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import type { Entry } from '../../../contract/lab/journal.ts'
import { Participant, type ParticipantDeps } from './participant.ts'

interface BakeryShared {
  readonly name: string
  readonly ttlSeconds: number
  readonly maxClockSkewMs: number
  /** The candidate of each customer id: the library makes an id for each visit. */
  readonly customers: Map<string, string>
}

const servedMs = 3_000
const awayMs = 2_000

export class BakeryCustomer extends Participant {
  readonly #shared: BakeryShared
  readonly #bakery: Bakery
  readonly #registers: BakeryRegisters
  #leave = new AbortController()
  #customer: string | null = null
  #number: bigint | null = null
  #last = ''

  constructor(deps: ParticipantDeps, shared: BakeryShared) {
    super(deps)
    this.#shared = shared
    this.#registers = new CassandraBakeryRegisters(this.executor)
    const { ttlSeconds, maxClockSkewMs } = shared
    this.#bakery = new Bakery({
      ttlSeconds,
      maxClockSkewMs,
      clock: this.time,
      timer: this.time,
      registers: this.#noting(),
    })
  }

  get hasLeft(): boolean {
    return this.#leave.signal.aborted
  }

  join(): void {
    this.journal.note({ kind: 'joined', candidate: this.id })
    void this.#visit(this.#leave.signal).catch((error) => this.failed(error))
  }

  leave(): void {
    this.time.run(() => {
      if (this.hasLeft) return
      this.#leave.abort()
      this.journal.note({ kind: 'left', candidate: this.id })
    })
  }

  override async end(): Promise<void> {
    this.#leave.abort()
    if (!this.time.hasCrashed) await this.closing(500)
    await super.end()
  }

  /** Comes again and again. */
  async #visit(signal: AbortSignal): Promise<void> {
    const { name } = this.#shared
    while (!signal.aborted) {
      try {
        await this.#bakery.withLock(name, { signal }, async (lost) => {
          this.#note(10, { choosing: false })
          await this.time.sleep(servedMs, AbortSignal.any([signal, lost]))
        })
      } catch (thrown) {
        if (!signal.aborted && !isLeaseholdError(thrown)) throw thrown
      }
      await this.time.sleep(awayMs, signal)
    }
  }

  /** Each call of the bakery on its registers is a step. */
  #noting(): BakeryRegisters {
    const { customers } = this.#shared
    let choosing: string[] = []
    return {
      setChoosing: async (register, ttlSeconds) => {
        this.#customer = register.customer
        this.#number = null
        customers.set(register.customer, this.id)
        this.#note(1, { choosing: true })
        await this.#registers.setChoosing(register, ttlSeconds)
      },
      setNumber: async (register, number, ttlSeconds) => {
        if (this.#number === null) {
          this.#number = number
          this.#note(4, { choosing: true })
        }
        await this.#registers.setNumber(register, number, ttlSeconds)
      },
      clearChoosing: async (register) => {
        if (this.#number !== null) this.#note(5, { choosing: false })
        await this.#registers.clearChoosing(register)
      },
      clearNumber: async (register) => {
        this.#number = null
        await this.#registers.clearNumber(register)
        this.#note(10, { choosing: false })
      },
      choosing: async (name) => {
        this.#note(6, { choosing: false })
        choosing = (await this.#registers.choosing(name)).filter((other) => other !== this.#customer)
        return [...choosing]
      },
      numbers: async (name) => {
        if (this.#number === null) {
          this.#note(2, { choosing: true })
          const numbers = await this.#registers.numbers(name)
          this.#note(3, { choosing: true })
          return numbers
        }
        this.#note(7, { choosing: false })
        const numbers = await this.#registers.numbers(name)
        const [number, customer] = [this.#number, this.#customer]
        const own = number === null || customer === null ? null : { number, customer }
        const ahead = numbers
          .filter((other) => own !== null && goesBefore(other, own))
          .sort((one, other) => (goesBefore(one, other) ? -1 : 1))[0]
        const waitsFor = choosing[0] ?? ahead?.customer
        if (waitsFor !== undefined)
          this.#note(choosing.length > 0 ? 8 : 9, {
            choosing: false,
            waitsFor: customers.get(waitsFor) ?? null,
          })
        return numbers
      },
    }
  }

  /** A waiter takes the same steps ten times a second: noted once, until one is another. */
  #note(
    step: number,
    { choosing, waitsFor = null }: Pick<Entry<'bakery'>, 'choosing'> & { waitsFor?: string | null },
  ): void {
    const number = this.#number === null ? null : String(this.#number)
    const entry = { kind: 'bakery', candidate: this.id, step, choosing, number, waitsFor } as const
    const isRepeated = this.#last.startsWith('waits') && step >= 6 && step <= 9
    const text = step === 8 || step === 9 ? `waits ${JSON.stringify(entry)}` : JSON.stringify(entry)
    if (isRepeated && (step < 8 || text === this.#last)) return
    this.#last = text
    this.journal.note(entry)
  }
}
