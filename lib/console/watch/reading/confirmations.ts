/**
 * Which rows are read at SERIAL next, within a budget that is the same however many people watch.
 *
 * 1. Rows that are due: their end has passed, a scan shows them no more, or two reads of them overlapped.
 * 2. Rows in which a scan saw another owner or another value. Renewals are none of these: a quorum that shows a newer
 *    version tells the truth.
 * 3. Rows that viewers look at, the one whose last read is oldest first, and names without a row among them: of many names,
 *    those whose turn it is in this tick. Every fourth read is one of these, so that a table in which everything changes does not
 *    keep them all from being confirmed; and `viewedPerSecond` at most, so that two hundred viewers cost what one costs.
 *
 * Guarantees: `readsPerSecond` reads a second in this process at most, `readsAtOnce` at the same time, and of one row one a
 * second.
 * Does not guarantee: that a row is read in time. What is not says of itself when it was read last, and how.
 */
import { isLeaseholdError, pageReadsAtOnce } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import type { WatchedRow } from '../rows/watched-row.ts'

/** A few hundredths of what one node answers. */
export const readsPerSecond = 100
/**
 * Fewer than the 75 rows of one list, with those above and below the screen: one viewer uses them all up, and two hundred have no
 * more to ask for.
 */
export const viewedPerSecond = 60
/** Half of what a page of the list reads at once: pages come first. */
export const readsAtOnce = pageReadsAtOnce / 2
const rowEveryMs = 1_000
/** Names without a row that one tick looks at; the next one goes on behind them. All of 5,000 took 10 ms of each tick. */
export const absentAtOnce = 250
/** A name without a row is looked at more seldom: a scan shows the row that comes. */
const absentEveryMs = 2_000
/** What was not used of the budget is kept for so long: else a late timer would cost reads. */
const savedMs = 300
const viewedEvery = 4
/** Rows that wait in a queue. What finds no place is due again, or shown by the next scan. */
const waitingMax = 100_000

/** A row of a table to read. */
export interface Target {
  readonly table: string
  readonly name: string
}

/** `foundMs`: when a SERIAL read found no row, by the monotonic clock; null: none did, lately. */
type Absent = Target & { readonly foundMs: number | null }

interface ConfirmationsDeps {
  readonly clock: Clock
  /** Reads at SERIAL, and passes on what it finds. */
  read(target: Target): Promise<unknown>
  /** The rows that viewers look at now. */
  viewed(): Iterable<{ table: string; row: WatchedRow }>
  /** The names without a row that viewers look at. It is read on while they come and go. */
  absent(): Iterable<Absent>
  /** Cassandra answered a read of this table; or not. */
  answered(table: string): void
  failed(table: string, error: unknown): void
}

/** Two infinities of one sign are equal. */
const byNumber = (one: number, other: number): number => (one === other ? 0 : one - other)

const keyOf = ({ table, name }: Target): string => `${table}\n${name}`

export class Confirmations {
  readonly #deps: ConfirmationsDeps
  readonly #due = new Map<string, Target>()
  readonly #seen = new Map<string, Target>()
  /** When each row was asked for last, the oldest first; for a second. */
  readonly #asked = new Map<string, number>()
  /** A walk over the names without a row at which viewers look, some a tick. null: none is under way. */
  #absentWalk: Iterator<Absent> | null = null
  /** When each name that the walk before this one found was asked for last. */
  #absentAsked = new Map<string, number>()
  /** The same of the names that this walk has found. */
  #absentFound = new Map<string, number>()
  readonly #allowance = { all: 0, viewed: 0 }
  #lastMs: number
  #underWay = 0
  #count = 0

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps
    this.#lastMs = deps.clock.now().monotonicMs
  }

  /** How many rows wait for a read, viewers' rows apart. */
  get waiting(): number {
    return this.#due.size + this.#seen.size
  }

  due(target: Target): void {
    if (this.#due.size < waitingMax) this.#due.set(keyOf(target), target)
  }

  seen(target: Target): void {
    if (this.#seen.size < waitingMax) this.#seen.set(keyOf(target), target)
  }

  /** At once, if the budget has a read left. null: it has none, or the row was asked for within the second; then it is due. */
  now(target: Target): Promise<void> | null {
    this.due(target)
    this.#grow()
    if (this.#asked.has(keyOf(target))) return null
    const isFree = this.#allowance.all >= 1 && this.#underWay < readsAtOnce
    return isFree ? this.#begin(target) : null
  }

  /** To be called ten times a second. */
  tick(): void {
    const nowMs = this.#grow()
    let viewed: Target[] | undefined
    while (this.#allowance.all >= 1 && this.#underWay < readsAtOnce) {
      const viewedFirst = ++this.#count % viewedEvery === 0
      viewed ??= this.#viewed(nowMs)
      const ofQueues = () => this.#next(this.#due) ?? this.#next(this.#seen)
      const ofViewers = () => this.#nextViewed(viewed as Target[])
      const target = viewedFirst ? (ofViewers() ?? ofQueues()) : (ofQueues() ?? ofViewers())
      if (target === undefined) return
      void this.#begin(target)
    }
  }

  /** Adds to the budget what the time since the last call is worth. @returns the time */
  #grow(): number {
    const nowMs = this.#deps.clock.now().monotonicMs
    const grown = (allowance: number, perSecond: number) =>
      Math.min(allowance + ((nowMs - this.#lastMs) * perSecond) / 1000, (savedMs * perSecond) / 1000)
    this.#allowance.all = grown(this.#allowance.all, readsPerSecond)
    this.#allowance.viewed = grown(this.#allowance.viewed, viewedPerSecond)
    this.#lastMs = nowMs
    for (const [key, atMs] of this.#asked) {
      if (nowMs - atMs < rowEveryMs) break
      this.#asked.delete(key)
    }
    return nowMs
  }

  #begin(target: Target): Promise<void> {
    this.#allowance.all--
    return this.#read(target, this.#lastMs)
  }

  /** The first one that was not asked for within the second. */
  #next(queue: Map<string, Target>): Target | undefined {
    for (const [key, target] of queue) {
      if (this.#asked.has(key)) continue
      queue.delete(key)
      return target
    }
    return undefined
  }

  #nextViewed(viewed: Target[]): Target | undefined {
    while (this.#allowance.viewed >= 1) {
      const target = viewed.pop()
      if (target !== undefined && this.#asked.has(keyOf(target))) continue
      if (target !== undefined) this.#allowance.viewed--
      return target
    }
    return undefined
  }

  /** What viewers look at and was not confirmed within the second, the oldest last. */
  #viewed(nowMs: number): Target[] {
    const ageMs = ({ read }: WatchedRow) =>
      read.level === 'SERIAL' ? nowMs - read.at.monotonicMs : Number.POSITIVE_INFINITY
    const rows = new Map<WatchedRow, string>()
    for (const { table, row } of this.#deps.viewed()) if (ageMs(row) >= rowEveryMs) rows.set(row, table)
    const known = [...rows].map(([{ name, read }, table]) => ({ table, name, atMs: read.at.monotonicMs }))
    return [...known, ...this.#absent(nowMs)]
      .sort((one, other) => byNumber(other.atMs, one.atMs))
      .map(({ table, name }) => ({ table, name }))
  }

  /** Names that were never asked for come first; no others do, however long ago they were found free. */
  #absent(nowMs: number): (Target & { atMs: number })[] {
    const some: (Target & { atMs: number })[] = []
    // From the name at which the last tick stopped to the end, and on from the beginning.
    let walks = this.#absentWalk === null ? 1 : 2
    while (some.length < absentAtOnce && walks > 0) {
      const next = this.#nextAbsent()
      if (next === null) walks--
      else some.push(next)
    }
    return some.filter(({ atMs }) => nowMs - atMs >= absentEveryMs)
  }

  /** null: the walk is over. */
  #nextAbsent(): (Target & { atMs: number }) | null {
    this.#absentWalk ??= this.#deps.absent()[Symbol.iterator]()
    const { done, value } = this.#absentWalk.next()
    if (done) {
      this.#absentWalk = null
      // Forgets the names at which no viewer looks any longer.
      this.#absentAsked = this.#absentFound
      this.#absentFound = new Map()
      return null
    }
    const { table, name, foundMs } = value
    const key = keyOf(value)
    const askedMs = this.#absentAsked.get(key) ?? this.#absentFound.get(key) ?? Number.NEGATIVE_INFINITY
    this.#absentFound.set(key, askedMs)
    return { table, name, atMs: Math.max(askedMs, foundMs ?? Number.NEGATIVE_INFINITY) }
  }

  async #read(target: Target, nowMs: number): Promise<void> {
    const key = keyOf(target)
    // At the end of the map, whose order is that of time.
    this.#asked.delete(key)
    this.#asked.set(key, nowMs)
    for (const known of [this.#absentAsked, this.#absentFound]) if (known.has(key)) known.set(key, nowMs)
    // One read answers for whichever reason.
    this.#due.delete(key)
    this.#seen.delete(key)
    this.#underWay++
    try {
      await this.#deps.read(target)
      this.#deps.answered(target.table)
    } catch (thrown) {
      this.#deps.failed(target.table, thrown)
      // A table that cannot be read at all is not asked again for each row.
      if (isLeaseholdError(thrown, 'store-unavailable')) this.due(target)
    } finally {
      this.#underWay--
    }
  }
}
