/**
 * The canaries of all tables that the console writes: when each ran last, what it found, and what follows for the table.
 *
 * Guarantees: at most one canary runs on a table at a time; a table that granted one lease to two owners is written by no
 * part of the console until a canary passes.
 */
import { type CanaryOutcome, type CanaryPart, canary } from 'leasehold/doctor'
import type { LeaseStore } from 'leasehold/lease'
import type { Clock, Moment, Timer } from 'leasehold/time'
import type { Log } from '../http/log/log.ts'
import type { TableTrust } from '../leases/table-trust.ts'

/** A table that is not read-only. */
export interface CanaryTable {
  readonly id: string
  readonly trust: TableTrust
  /** The table itself, which a canary writes whether it is trusted or not. */
  readonly store: LeaseStore
}

export interface CanaryRun {
  readonly outcome: CanaryOutcome
  /** Epoch milliseconds. */
  readonly atMs: number
  /** When the half about one owner passed once more, after a whole canary that passed; else `atMs`. */
  readonly againAtMs: number
  /** The same by the monotonic clock, which decides when the next one is due. */
  readonly againMonotonicMs: number
}

interface CanariesDeps {
  readonly tables: readonly CanaryTable[]
  readonly maxClockSkewMs: number
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
}

export class Canaries {
  readonly #deps: CanariesDeps
  readonly #last = new Map<string, CanaryRun>()
  readonly #running = new Map<string, { part: CanaryPart; end: Promise<void> }>()

  constructor(deps: CanariesDeps) {
    this.#deps = deps
  }

  /** The tables that canaries run on. */
  get tables(): readonly CanaryTable[] {
    return this.#deps.tables
  }

  /** null: none has come to its end yet. */
  lastOf(id: string): CanaryRun | null {
    return this.#last.get(id) ?? null
  }

  /**
   * Runs a canary on each of these tables, side by side; joins one of the same part that is running.
   * @param part `exclusion` proves within milliseconds that a lease has one owner
   */
  async run(
    ids: readonly string[] = this.#deps.tables.map(({ id }) => id),
    part: CanaryPart = 'whole',
  ): Promise<void> {
    const wanted = this.#deps.tables.filter(({ id }) => ids.includes(id))
    await Promise.all(wanted.map((table) => this.#joined(table, part)))
  }

  /** As `run`, but after those that are running: what one has proved may be from before a change. */
  async runAfterwards(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#running.get(id)?.end.catch(() => {})))
    await this.run(ids)
  }

  #joined(table: CanaryTable, part: CanaryPart): Promise<void> {
    const running = this.#running.get(table.id)
    if (running !== undefined)
      return running.part === part ? running.end : running.end.then(() => this.#joined(table, part))
    const end = this.#one(table, part).finally(() => this.#running.delete(table.id))
    this.#running.set(table.id, { part, end })
    return end
  }

  async #one({ id, store, trust }: CanaryTable, part: CanaryPart): Promise<void> {
    const { clock, timer, maxClockSkewMs, log } = this.#deps
    const outcome = await canary(store, { clock, timer, maxClockSkewMs, part })
    const ended = clock.now()
    const atMs = ended.wallMs
    this.#keep(id, outcome, ended)
    if (outcome.kind === 'failed') {
      log.error({ table: id, lease: outcome.name }, `the canary failed: ${outcome.found}`)
      if (outcome.isUnsafe) trust.lose(outcome.found, atMs)
    } else if (outcome.kind === 'unknown') {
      const what = `the doctor could not check the table ${id}, and tries again; until then the console uses it as before`
      log.warn({ table: id }, `${what}. ${outcome.found}`)
    } else if (trust.distrust !== null) {
      trust.regain()
      log.info({ table: id }, 'the canary passed: the table is written again')
    }
  }

  /** A half that passes says less than the whole that passed before. */
  #keep(id: string, outcome: CanaryOutcome, { wallMs: atMs, monotonicMs }: Moment): void {
    const again = { againAtMs: atMs, againMonotonicMs: monotonicMs }
    const last = this.#last.get(id)
    const isRepeat = outcome.kind === 'passed' && outcome.part === 'exclusion' && isWhole(last)
    this.#last.set(id, isRepeat && last !== undefined ? { ...last, ...again } : { outcome, atMs, ...again })
  }
}

const isWhole = (run: CanaryRun | undefined): boolean =>
  run?.outcome.kind === 'passed' && run.outcome.part === 'whole'
