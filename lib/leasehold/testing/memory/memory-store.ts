/**
 * A lease store in memory with Cassandra's semantics: whole-second expiry by the coordinator's clock, one expiry per
 * cell, row markers, zombies, and ballots as writetimes. An answer may be lost, with the write applied or not, at once
 * or late, and a statement that is applied late may have begun early.
 */
import {
  type AcquireWrite,
  type CasAnswer,
  InvalidArgumentError,
  type LeaseCells,
  type LeaseHint,
  type LeaseStore,
  type QuarantineWrite,
  type ReadAnswer,
  type ReleaseWrite,
  type RenewWrite,
  type ScanAnswer,
  type ScanRange,
  type ScanRowsAnswer,
  StatementUnknownError,
  type StoreColumns,
  StoreUnavailableError,
} from '../../lease/index.ts'
import type { PaxosVariant } from '../../time/index.ts'
import type { FakeClock } from '../fake-clock.ts'

interface Cell {
  text: string
  writetime: bigint
  /** Visible while the coordinator's second is below it; null: for ever. */
  expirySeconds: number | null
}

interface Row {
  owner?: Cell
  value?: Cell
  /** The row marker: only INSERT writes it. */
  marker?: { expirySeconds: number | null }
}

/** The fault of one statement. `late`: its connection breaks at once, and it starts this many milliseconds later. */
export type Fault =
  | { kind: 'lost'; applied: boolean; finality: 'read' | 'never' }
  | { kind: 'late'; afterMs: number }
  | { kind: 'unavailable' }

/**
 * The phases of a slow conditional write, in milliseconds; one that is left out takes no time.
 *
 * 1. The write waits in a queue, up to 25 s.
 * 2. It starts, which fixes its expiry second, and loses Paxos rounds to other writes, up to the server's contention
 *    limit: 2 s under v2, 6 s under v1.
 * 3. If its condition holds then, it is applied, with the version of that moment.
 * 4. Its answer travels back.
 *
 * A client that gives up in between gets no answer, and the statement goes on.
 */
export interface Delay {
  kind: 'delayed'
  queuedMs?: number
  contendedMs?: number
  answerMs?: number
  /** The client's connection breaks at once, so that it goes on while the statement does. */
  breaks?: boolean | undefined
}

/** The times of one statement, by its coordinator's clock. */
interface Execution {
  /** Determines the expiry of the written cells, and which cells have expired. */
  readonly startedMs: number
  /** Determines the version. */
  readonly appliedMs: number
}

export type StatementKind =
  | 'acquire'
  | 'renew'
  | 'release'
  | 'quarantine'
  | 'read'
  | 'hint'
  | 'scan'
  | 'plain'

/** How long a client waits by default, as with Cassandra. */
const patienceMs = 20_000

export class MemoryLeaseStore implements LeaseStore {
  readonly columns: StoreColumns
  paxosVariant: PaxosVariant = 'v2'
  /** The number of statements, including those with a fault. */
  sent = 0
  /** Called before every statement of the protocol; undefined: no fault. */
  fault: (kind: StatementKind, name: string) => Fault | Delay | undefined = () => undefined
  /** By how many milliseconds the next statement's coordinator is ahead of the clock. */
  skewMs: () => number = () => 0
  /**
   * As a table with `transactional_mode = 'full'` in Cassandra 6.0-alpha2: an acquisition of a free name answers *applied*,
   * and its row has expired already.
   */
  grantsTwice = false
  readonly #clock: FakeClock
  readonly #rows = new Map<string, Row>()
  readonly #ballots = new Map<string, bigint>()

  /** @param columns the table's; without an owner column, the existence of a row means that the lease is held */
  constructor(clock: FakeClock, columns: StoreColumns = { owner: true, value: true }) {
    this.#clock = clock
    this.columns = columns
  }

  acquire(write: AcquireWrite): Promise<CasAnswer> {
    return this.#cas('acquire', write.name, undefined, (at) => {
      const row = this.#shown(write.name, at.startedMs)
      if (row !== undefined && !this.columns.owner) return { applied: false, found: { owner: null } }
      if (row?.owner !== undefined) return { applied: false, found: { owner: row.owner.text } }
      if (this.grantsTwice) return { applied: true }
      this.#setEveryColumn(write, at)
      return { applied: true }
    })
  }

  renew(write: RenewWrite): Promise<CasAnswer> {
    return this.#cas('renew', write.name, write.giveUpAfterMs, (at) => {
      const row = this.#shown(write.name, at.startedMs)
      if (row === undefined) return { applied: false, found: null }
      const found = { owner: row.owner?.text ?? null, value: row.value?.text ?? null }
      const known = !this.columns.value || found.value === write.knownValue
      if (found.owner !== write.owner || !known) return { applied: false, found }
      this.#setEveryColumn(write, at)
      return { applied: true }
    })
  }

  release({ name, owner }: ReleaseWrite): Promise<CasAnswer> {
    return this.#cas('release', name, undefined, (at) => this.#deleteIfOwner(name, owner, at.startedMs))
  }

  quarantine({ name, owner, mark, value, ttlSeconds }: QuarantineWrite): Promise<CasAnswer> {
    if (!this.columns.owner)
      throw new InvalidArgumentError('A table without an owner column has no room for a mark.')
    return this.#cas('quarantine', name, undefined, (at) => {
      const row = this.#shown(name, at.startedMs)
      if (row === undefined) return { applied: false, found: null }
      if (row.owner?.text !== owner) return { applied: false, found: { owner: row.owner?.text ?? null } }
      this.#insert({ name, owner: mark, value, ttlSeconds }, at)
      return { applied: true }
    })
  }

  async read(name: string): Promise<ReadAnswer> {
    await this.#arrive('read', name)
    return { coordinator: 'memory', statement: 'SELECT …', cells: this.#cells(name, this.#nowMs()) }
  }

  /** No write is ever in progress here. A test that changes `read` changes this too. */
  readWritten(name: string): Promise<ReadAnswer> {
    return this.read(name)
  }

  async hint(name: string): Promise<LeaseHint | null> {
    await this.#arrive('hint', name)
    const row = this.#shown(name, this.#nowMs())
    if (row === undefined) return null
    if (!this.columns.owner) return { owner: null, value: null }
    return { owner: row.owner?.text ?? null, value: row.value?.text ?? null }
  }

  async scan(range: ScanRange): Promise<ScanAnswer> {
    await this.#arrive('scan', '')
    return { rows: this.#range(range, this.#nowMs()) }
  }

  async scanRows(range: ScanRange): Promise<ScanRowsAnswer> {
    await this.#arrive('scan', '')
    const nowMs = this.#nowMs()
    return {
      rows: this.#range(range, nowMs).map((row) => ({
        ...row,
        cells: this.#cells(row.name, nowMs) as LeaseCells,
      })),
    }
  }

  /** A client that uses plain CQL beside the protocol. Its statements have no faults. */
  readonly plain = {
    /** `INSERT … VALUES (…) IF NOT EXISTS USING TTL ?` */
    insertIfNotExists: (name: string, owner: string, value: string | null, ttlSeconds: number): boolean => {
      const nowMs = this.#nowMs()
      if (this.#shown(name, nowMs) !== undefined) return false
      this.#insert({ name, owner, value, ttlSeconds }, atOnce(nowMs))
      return true
    },
    /** `INSERT … IF NOT EXISTS`, in a table whose rows live for ever. */
    insertForEver: (name: string, owner: string, value: string | null): boolean => {
      if (!this.plain.insertIfNotExists(name, owner, value, 1)) return false
      const row = this.#rows.get(name) as Row
      for (const part of [row.owner, row.value, row.marker]) if (part !== undefined) part.expirySeconds = null
      return true
    },
    /** `UPDATE … USING TTL ? SET owner = ? … IF owner = ?`: the renewal that forgets the value. */
    renewOwnerOnly: (name: string, owner: string, ttlSeconds: number): boolean => {
      const nowMs = this.#nowMs()
      const row = this.#shown(name, nowMs)
      if (row?.owner?.text !== owner) return false
      this.#rows.set(name, { ...row, owner: this.#cell(name, owner, ttlSeconds, atOnce(nowMs)) })
      return true
    },
    /** `UPDATE … USING TTL ? SET value = ? … IF owner = ?` */
    setValueOnly: (name: string, owner: string, value: string, ttlSeconds: number): boolean => {
      const nowMs = this.#nowMs()
      const row = this.#shown(name, nowMs)
      if (row?.owner?.text !== owner) return false
      this.#rows.set(name, { ...row, value: this.#cell(name, value, ttlSeconds, atOnce(nowMs)) })
      return true
    },
    /** `DELETE … IF owner = ?` */
    deleteIfOwner: (name: string, owner: string): boolean =>
      this.#deleteIfOwner(name, owner, this.#nowMs()).applied,
  }

  #cells(name: string, nowMs: number): LeaseCells | null {
    const row = this.#shown(name, nowMs)
    if (row === undefined) return null
    const of = this.columns.owner ? row : {}
    const ttl = (cell: Cell | undefined) =>
      cell?.expirySeconds == null ? null : cell.expirySeconds - Math.floor(nowMs / 1000)
    return {
      owner: of.owner?.text ?? null,
      value: of.value?.text ?? null,
      ownerWritetime: of.owner?.writetime ?? null,
      ownerTtlSeconds: ttl(of.owner),
      valueTtlSeconds: ttl(of.value),
      serverNowMs: nowMs,
    }
  }

  #range({ afterToken, limit }: ScanRange, nowMs: number): { name: string; token: string }[] {
    return [...this.#rows.keys()]
      .filter((name) => this.#shown(name, nowMs) !== undefined)
      .map((name) => ({ name, token: tokenOf(name) }))
      .filter((row) => afterToken === undefined || row.token > BigInt(afterToken))
      .sort((a, b) => (a.token < b.token ? -1 : 1))
      .slice(0, limit)
      .map(({ name, token }) => ({ name, token: token.toString() }))
  }

  #nowMs(): number {
    return this.#clock.now().wallMs + this.skewMs()
  }

  /** One network hop; a fault that needs no write ends the statement here. */
  async #arrive(kind: StatementKind, name: string): Promise<Fault | Delay | undefined> {
    this.sent++
    const fault = this.fault(kind, name)
    await Promise.resolve()
    if (fault?.kind === 'unavailable')
      throw new StoreUnavailableError('No node answers (by order of the test).')
    return fault
  }

  async #cas(
    kind: StatementKind,
    name: string,
    giveUpAfterMs: number | undefined,
    write: (at: Execution) => CasAnswer,
  ): Promise<CasAnswer> {
    const fault = await this.#arrive(kind, name)
    if (fault === undefined) return write(atOnce(this.#nowMs()))
    if (fault.kind === 'delayed')
      return this.#delayed(fault, fault.breaks ? 0 : (giveUpAfterMs ?? patienceMs), write)
    if (fault.kind === 'late') return this.#delayed({ queuedMs: fault.afterMs }, 0, write)
    if (fault.kind === 'lost' && fault.applied) write(atOnce(this.#nowMs()))
    throw unknown(fault.kind === 'lost' ? fault.finality : 'never')
  }

  async #delayed(
    { queuedMs = 0, contendedMs = 0, answerMs = 0 }: Omit<Delay, 'kind'>,
    givenUpAfterMs: number,
    write: (at: Execution) => CasAnswer,
  ): Promise<CasAnswer> {
    // One coordinator for the whole statement: its skew stays the same.
    const skewMs = this.skewMs()
    const nowMs = () => this.#clock.now().wallMs + skewMs
    const answered = new AbortController()
    const answer = (async () => {
      await this.#clock.sleep(queuedMs)
      const startedMs = nowMs()
      await this.#clock.sleep(contendedMs)
      const carriedOut = write({ startedMs, appliedMs: nowMs() })
      await this.#clock.sleep(answerMs)
      answered.abort()
      return carriedOut
    })()
    const givenUp = async () => {
      if (givenUpAfterMs > 0) await this.#clock.sleep(givenUpAfterMs, answered.signal)
      throw unknown('never')
    }
    return Promise.race([answer, givenUp()])
  }

  #setEveryColumn(write: AcquireWrite, at: Execution): void {
    const { name, owner, value, ttlSeconds } = write
    const row: Row = { owner: this.#cell(name, owner, ttlSeconds, at) }
    const writetime = (row.owner as Cell).writetime
    if (value !== null && this.columns.value) row.value = { ...(row.owner as Cell), text: value, writetime }
    // An UPDATE neither renews nor shortens the marker of an earlier INSERT.
    const marker = this.#rows.get(name)?.marker
    if (marker !== undefined) row.marker = marker
    this.#rows.set(name, row)
  }

  /** Sets the row marker too, as only INSERT does. */
  #insert(write: AcquireWrite, at: Execution): void {
    this.#setEveryColumn(write, at)
    const row = this.#rows.get(write.name) as Row
    row.marker = { expirySeconds: Math.floor(at.startedMs / 1000) + write.ttlSeconds }
  }

  #cell(name: string, text: string, ttlSeconds: number, at: Execution): Cell {
    // The ballot: the coordinator's clock in microseconds when the write is applied, not when it began, and always
    // greater than the partition's last ballot.
    const clockMicros = BigInt(Math.floor(at.appliedMs)) * 1000n
    const last = this.#ballots.get(name) ?? 0n
    const writetime = clockMicros > last ? clockMicros : last + 1n
    this.#ballots.set(name, writetime)
    return { text, writetime, expirySeconds: Math.floor(at.startedMs / 1000) + ttlSeconds }
  }

  #deleteIfOwner(name: string, owner: string, nowMs: number): CasAnswer {
    const row = this.#shown(name, nowMs)
    if (row === undefined) return { applied: false, found: null }
    // Without an owner column the condition is `IF EXISTS`.
    if (this.columns.owner && row.owner?.text !== owner)
      return { applied: false, found: { owner: row.owner?.text ?? null } }
    this.#rows.delete(name)
    return { applied: true }
  }

  /** The row without the cells that have expired by the coordinator's clock; undefined: Cassandra shows no row. */
  #shown(name: string, nowMs: number): Row | undefined {
    const stored = this.#rows.get(name)
    if (stored === undefined) return undefined
    const second = Math.floor(nowMs / 1000)
    const alive = (part: { expirySeconds: number | null } | undefined) =>
      part !== undefined && (part.expirySeconds === null || second < part.expirySeconds)
    const row: Row = {}
    if (alive(stored.owner)) row.owner = stored.owner as Cell
    if (alive(stored.value)) row.value = stored.value as Cell
    if (alive(stored.marker)) row.marker = stored.marker as { expirySeconds: number | null }
    return row.owner === undefined && row.value === undefined && row.marker === undefined ? undefined : row
  }
}

/** A statement that takes no time. */
const atOnce = (nowMs: number): Execution => ({ startedMs: nowMs, appliedMs: nowMs })

const unknown = (finality: 'read' | 'never') =>
  new StatementUnknownError('No answer came (by order of the test).', finality)

/** A stand-in for Murmur3: any order that is not the alphabet's. FNV-1a, 64 bits, signed. */
function tokenOf(name: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(name)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return BigInt.asIntN(64, hash)
}
