/**
 * What one process knows of the rows of one table, from scans and from SERIAL reads.
 *
 * Guarantees: knowledge is never replaced by older one. Of two reads, the one with the greater version is the newer; without
 * versions to compare, the one that was sent after the other was answered. Of two that overlap, neither is: then the
 * row is read again. A row is gone when a SERIAL read found none, or a DELETE was applied to one that is not dated ahead, and not
 * when a scan shows it no more. More rows may end than the budget has reads for: one that ended some time before a scan which
 * does not show it is forgotten, so that the rows here are bounded by those of the table.
 * Does not guarantee: that every state is seen. What came and went between two reads leaves no trace.
 * Assumes: that versions of one name grow (docs/guarantees.md, "Tokens"). After a TRUNCATE or a restore they may not: a SERIAL read
 * that was sent after all that is known is believed whatever its version.
 */
import type { RowScan } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import type { LeaseStateName } from '../../../contract/leases/lease.ts'
import { HandOvers } from './hand-overs.ts'
import { Moments } from './moments.ts'
import {
  endOf,
  factsOf,
  nextMoment,
  type Reading,
  type RowFacts,
  sameFacts,
  sinceMs,
  stateOf,
  type WatchedRow,
} from './watched-row.ts'

/** A row that a SERIAL read showed says so for this long, however many scans show the same since. */
const confirmedForMs = 2_000
/** A row is looked for again after its end once in this time, until a SERIAL read has found what became of it. */
const dueEveryMs = 1_000
/** A row that ended so long before a scan began, which did not show it, is not waited for. More than clocks differ. */
const forgottenAfterMs = 10_000
/** How long it is remembered when a row was found gone: longer than any read takes. */
const goneForMs = 60_000

interface SnapshotDeps {
  readonly hasOwner: boolean
  readonly clock: Clock
  readonly handOvers?: HandOvers | undefined
}

interface SnapshotListener {
  /** null: there is no such row. */
  changed(before: WatchedRow | null, after: WatchedRow | null): void
  /** A SERIAL read has to say what became of the row. */
  due(name: string): void
  /** A scan showed another owner or another value. */
  seen(name: string): void
}

interface Gone {
  readonly atMs: number
  readonly wallMs: number
}

export class Snapshot {
  readonly rows = new Map<string, WatchedRow>()
  readonly #gone = new Map<string, Gone>()
  readonly #moments: Moments
  readonly #handOvers: HandOvers
  readonly #hasOwner: boolean
  readonly #clock: Clock
  readonly #listener: SnapshotListener
  /** Scans that were begun. */
  #scan = 0
  #scanBeganMs = 0
  /** Every row was seen once: one that is new now began since. */
  #isWhole = false
  /** Cassandra does not answer. */
  #isLost = false

  constructor({ hasOwner, clock, handOvers = new HandOvers() }: SnapshotDeps, listener: SnapshotListener) {
    this.#hasOwner = hasOwner
    this.#clock = clock
    this.#handOvers = handOvers
    this.#listener = listener
    this.#moments = new Moments(this.#nowMs())
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** As `goneAtMs`, by the monotonic clock. */
  foundGoneMs(name: string): number | null {
    return this.#gone.get(name)?.atMs ?? null
  }

  /** When a SERIAL read found that this row is gone, by the wall clock; null: not lately. */
  goneAtMs(name: string): number | null {
    return this.#gone.get(name)?.wallMs ?? null
  }

  beginScan(): void {
    this.#scan++
    this.#scanBeganMs = this.#nowMs()
  }

  /** The rows of one statement of the scan, in steps: a row that changed costs each view of the table some microseconds. */
  *addScanned({ rows, sent, at }: RowScan): Generator<void, void> {
    let [earliest, latest] = [Number.POSITIVE_INFINITY, 0]
    for (const { cells } of rows) {
      earliest = Math.min(earliest, cells.serverNowMs)
      latest = Math.max(latest, cells.serverNowMs)
    }
    const read = { level: 'QUORUM' as const, sent, at, serverNowMs: latest }
    for (const { name, cells } of rows) {
      this.add({ name, cells, read, earliestServerMs: earliest })
      yield
    }
  }

  /** Rows that the scan did not show are read at SERIAL. To be called when it has come to its end; in steps. */
  *endScan(): Generator<void, void> {
    this.#isWhole = true
    for (const name of this.rows.keys()) {
      yield
      // Taken after the pause, in which reads change rows.
      const row = this.rows.get(name)
      if (row === undefined || row.scan === this.#scan || row.read.at.monotonicMs >= this.#scanBeganMs)
        continue
      const end = endOf(row)
      if (end !== null && end < this.#scanBeganMs - forgottenAfterMs) this.#forget(row)
      else this.#listener.due(row.name)
    }
  }

  add(reading: Reading): void {
    const { name, cells, read } = reading
    const known = this.rows.get(name)
    if (known !== undefined && read.level === 'QUORUM') known.scan = this.#scan
    if (cells === null) {
      if (known === undefined || read.sent.monotonicMs >= known.read.at.monotonicMs)
        this.#remove(reading, known)
      else this.#listener.due(name)
    } else if (known === undefined) {
      const gone = this.#gone.get(name)
      if (gone !== undefined && read.sent.monotonicMs < gone.atMs) this.#listener.due(name)
      else this.#insert({ ...reading, cells })
    } else this.#update({ ...reading, cells }, known)
  }

  /**
   * While Cassandra does not answer each row is in the state of its last read, as the pages show it: time alone would put leases at risk
   * although no renewal is known to be missing. In steps.
   */
  *lose(isLost: boolean): Generator<void, void> {
    if (isLost === this.#isLost) return
    this.#isLost = isLost
    for (const name of this.rows.keys()) {
      yield
      const row = this.rows.get(name)
      if (row !== undefined) this.#restate(row, this.#nowMs())
    }
  }

  /** Looks at the rows whose moment has come, in steps: all leases may end in the same second. To be called ten times a second. */
  *tick(): Generator<void, void> {
    for (const name of this.#moments.take(this.#nowMs())) {
      yield
      const nowMs = this.#nowMs()
      const row = this.rows.get(name)
      if (row === undefined) continue
      this.#restate(row, nowMs)
      const end = endOf(row)
      if (end === null || end > nowMs) continue
      this.#moments.set(name, nowMs + dueEveryMs)
      this.#listener.due(name)
    }
    const nowMs = this.#nowMs()
    for (const [name, { atMs }] of this.#gone) {
      if (nowMs - atMs < goneForMs) break
      this.#gone.delete(name)
    }
    this.#handOvers.prune(nowMs)
  }

  #insert(reading: Reading & { cells: object }): void {
    const { name, read } = reading
    const facts = factsOf(reading as Parameters<typeof factsOf>[0])
    this.#gone.delete(name)
    this.#handOvers.came(name, facts.owner, this.#nowMs())
    this.#putNew(reading, facts, null, this.#isWhole ? sinceMs(facts, reading) : null, false)
    if (this.#isWhole && read.level === 'QUORUM') this.#listener.seen(name)
  }

  #update(reading: Reading & { cells: object }, known: WatchedRow): void {
    const { name, read } = reading
    const facts = factsOf(reading as Parameters<typeof factsOf>[0], known)
    const isAfter = read.sent.monotonicMs >= known.read.at.monotonicMs
    if (sameFacts(facts, known)) {
      this.#confirm(known, reading)
      return
    }
    switch (this.#newer(facts, known, read.level, isAfter)) {
      case 'older':
        return
      case 'unknown':
        this.#listener.due(name)
        return
    }
    const sameOwner = facts.owner === known.owner && facts.owner !== null
    this.#handOvers.changed(name, known.owner, facts.owner, this.#nowMs())
    const hasGrown = facts.version !== null && known.version !== null && facts.version > known.version
    this.#putNew(
      reading,
      facts,
      known,
      sameOwner || !this.#hasOwner ? known.heldSinceMs : sinceMs(facts, reading),
      sameOwner && (known.renewed || hasGrown),
    )
    if (read.level === 'QUORUM' && !(sameOwner && facts.value === known.value)) this.#listener.seen(name)
  }

  /** Whether what was read is newer than what is known, and differs from it. */
  #newer(
    { version }: RowFacts,
    known: WatchedRow,
    level: 'SERIAL' | 'QUORUM',
    isAfter: boolean,
  ): 'newer' | 'older' | 'unknown' {
    if (isAfter && level === 'SERIAL') return 'newer'
    if (version !== null && known.version !== null && version !== known.version) {
      if (version > known.version) return 'newer'
      return isAfter ? 'unknown' : 'older'
    }
    return isAfter ? 'newer' : 'unknown'
  }

  /** A read showed what is known. */
  #confirm(known: WatchedRow, { read }: Reading): void {
    const { read: before } = known
    if (read.at.monotonicMs <= before.at.monotonicMs) return
    const isWeaker = read.level === 'QUORUM' && before.level === 'SERIAL'
    if (isWeaker && read.sent.monotonicMs - before.at.monotonicMs < confirmedForMs) return
    known.read = read
    // By another coordinator's clock the row ends a little earlier or later. And it may be at risk since the last tick.
    this.#restate(known, this.#nowMs())
  }

  #putNew(
    { name, read }: Reading,
    facts: RowFacts,
    known: WatchedRow | null,
    heldSinceMs: number | null,
    renewed: boolean,
  ): void {
    const nowMs = this.#nowMs()
    const timed = { ...facts, ...this.#handOvers.of(name, nowMs), read, renewed }
    const scan = read.level === 'QUORUM' ? this.#scan : (known?.scan ?? 0)
    const state = this.#stateOf(timed, nowMs)
    this.#put(known, { name, ...timed, state, heldSinceMs, scan }, nowMs)
  }

  #restate(row: WatchedRow, nowMs: number): void {
    const now = this.#isLost ? row : { ...row, ...this.#handOvers.of(row.name, nowMs) }
    const state = this.#stateOf(now, nowMs)
    if (state === row.state) this.#schedule(row, nowMs)
    else this.#put(row, { ...now, state }, nowMs)
  }

  #stateOf(row: Parameters<typeof stateOf>[0], nowMs: number): LeaseStateName {
    return stateOf(row, this.#hasOwner, this.#isLost ? row.read.at.monotonicMs : nowMs)
  }

  #put(before: WatchedRow | null, after: WatchedRow, nowMs: number): void {
    this.rows.set(after.name, after)
    this.#schedule(after, nowMs)
    this.#listener.changed(before, after)
  }

  #remove({ name, read }: Reading, known: WatchedRow | undefined): void {
    // At the end of the map, whose order is that of time.
    this.#gone.delete(name)
    this.#gone.set(name, { atMs: read.at.monotonicMs, wallMs: read.at.wallMs })
    if (known !== undefined) this.#forget(known)
  }

  #forget(row: WatchedRow): void {
    this.#handOvers.left(row.name, row.owner, this.#nowMs())
    this.rows.delete(row.name)
    this.#moments.delete(row.name)
    this.#listener.changed(row, null)
  }

  #schedule(row: WatchedRow, nowMs: number): void {
    const next = nextMoment(row, nowMs)
    if (next === null) this.#moments.delete(row.name)
    // A row that should have ended, and that the SERIAL read shows again. One that a scan shows is due as it was.
    else this.#moments.set(row.name, next <= nowMs && row.read.level === 'SERIAL' ? nowMs + dueEveryMs : next)
  }

  #nowMs(): number {
    return this.#clock.now().monotonicMs
  }
}
