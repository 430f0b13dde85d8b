import { type Clock, elapsedMs, type Moment } from '../../../time/index.ts'
import { BoundedMap } from '../../bounded-map.ts'
import { isLeaseholdError } from '../../errors.ts'

/** For how long a refusal is remembered, in milliseconds: a right or a table that comes later is found soon. */
const rememberedMs = 60_000
/** Forgetting one costs a statement. */
const rememberedNames = 1_000

/** What Cassandra says of a missing table, in its versions; over HTTP too. */
const missingTable = /\bunconfigured table\b|\b(?:table|keyspace) \S+ does not exist\b/i

/**
 * The names whose tickets the store refused a moment ago. A wait that asked for no order does not ask again for those: asking a
 * queue that refuses costs a statement each time.
 *
 * A refusal counts for one name: a server refuses a token the names outside of its prefixes, and no others; a ticket from a clock too far ahead is one too. That the table is
 * missing counts for all.
 */
export class Refusals {
  readonly #clock: Clock
  readonly #names = new BoundedMap<string, Moment>(rememberedNames)
  #all: Moment | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Remembers the error of a ticket, if it is a refusal. */
  note(name: string, thrown: unknown): void {
    const isRefusal =
      isLeaseholdError(thrown, 'store-refused') || isLeaseholdError(thrown, 'invalid-argument')
    if (!isRefusal) return
    const now = this.#clock.now()
    if (missingTable.test(thrown.message)) this.#all = now
    this.#names.set(name, now)
  }

  has(name: string): boolean {
    return this.#isRecent(this.#all) || this.#isRecent(this.#names.get(name))
  }

  #isRecent(at: Moment | undefined): boolean {
    return at !== undefined && elapsedMs(at, this.#clock.now()) < rememberedMs
  }
}
