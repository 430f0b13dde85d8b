/**
 * What this process knows of all leases, kept up to date: one scan after the other, reads at SERIAL within a budget, and
 * what this process reads and writes anyway. However many people watch, Cassandra is asked the same.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { LeaseStateName } from '../../contract/leases/lease.ts'
import type { Log } from '../http/log/log.ts'
import { StreamTurns } from '../http/streams/stream-turns.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { inSlices } from './building/in-slices.ts'
import { ViewBuilds } from './building/view-builds.ts'
import { Confirmations, type Target } from './reading/confirmations.ts'
import type { StoreObserver } from './reading/observed-store.ts'
import { Scanner } from './reading/scanner.ts'
import { isDatedAhead, type WatchedRow } from './rows/watched-row.ts'
import { WatchStreams } from './stream/streams.ts'
import { TableWatch } from './table-watch.ts'

const tickMs = 100
const logEveryMs = 60_000
/** The one who writes reads its row within it. */
const readBackMs = 100

export interface WatchDeps {
  readonly tables: ReadonlyMap<string, LeaseTable>
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
  /** Aborted when the process is about to end. */
  readonly closing: AbortSignal
}

interface OwnWrite {
  readonly target: Target
  readonly atMs: number
}

export class Watch {
  readonly streams: WatchStreams
  readonly #deps: WatchDeps
  readonly #tables = new Map<string, TableWatch>()
  readonly #confirmations: Confirmations
  /** Writes of this process whose rows are about to be read. */
  readonly #written: OwnWrite[] = []
  readonly #ownReads = new Set<Promise<void>>()
  #silentUntilMs = Number.NEGATIVE_INFINITY
  #isOn = false

  constructor(deps: WatchDeps) {
    this.#deps = deps
    const { clock, timer, tables, closing } = deps
    const turns = new StreamTurns({ clock, timer })
    this.streams = new WatchStreams({ clock, turns, closing })
    this.#confirmations = new Confirmations({
      clock,
      read: ({ table, name }) => this.table(table).table.leases.read(name),
      viewed: () => this.streams.viewed(),
      absent: () => this.streams.absent(),
      answered: (id) => this.table(id).health.answered(),
      failed: (id, error) => {
        if (isLeaseholdError(error, 'closed')) return
        this.table(id).health.failed(error)
        this.#logFailure(error)
      },
    })
    const builds = new ViewBuilds(clock)
    for (const [id, table] of tables) {
      const due = (name: string) => this.#confirmations.due({ table: id, name })
      const seen = (name: string) => this.#confirmations.seen({ table: id, name })
      const letGoOne = () => this.streams.forgetOne(id)
      this.#tables.set(id, new TableWatch(table, { clock, builds, due, seen, letGoOne }))
    }
  }

  /** Begins to scan, unless it did: at the start of a console, or when the rows are asked for. */
  begin(): void {
    if (this.#isOn || this.#deps.closing.aborted) return
    this.#isOn = true
    const { clock, timer, closing } = this.#deps
    const scanned = [...this.#tables].map(
      ([id, { table, snapshot }]) =>
        [id, { snapshot, scanRows: table.leases.scanRows.bind(table.leases) }] as const,
    )
    const scanner = new Scanner(new Map(scanned), {
      clock,
      timer,
      began: (id) => this.table(id).health.scanBegan(),
      answered: (id) => this.table(id).health.scanAnswered(),
      failed: (id, error) => {
        this.table(id).health.scanFailed(error)
        this.#logFailure(error)
      },
      ended: (id, end) => {
        this.table(id).health.scanEnded()
        this.table(id).scanned(end)
      },
    })
    void scanner.run(closing)
    this.#tickLater()
  }

  table(id: string): TableWatch {
    return this.#tables.get(id) as TableWatch
  }

  /** For the metrics. */
  *counts(): Iterable<{ table: string; state: LeaseStateName; count: number }> {
    for (const [table, watch] of this.#tables)
      for (const [state, count] of watch.counts()) yield { table, state, count }
  }

  /** For the metrics: tables that were scanned. Times in milliseconds. */
  *scans(): Iterable<{ table: string; ageMs: number; tookMs: number }> {
    for (const [table, watch] of this.#tables) {
      const ageMs = watch.scanAgeMs
      if (ageMs !== null) yield { table, ageMs, tookMs: watch.scanFacts.tookMs }
    }
  }

  get viewers(): number {
    return this.streams.viewers
  }

  /** What a store of this table reads and writes in this process. */
  observer(table: string): StoreObserver {
    return {
      read: (reading) => {
        if (this.#isOn) this.table(table).snapshot.add(reading)
      },
      deleted: (reading) => {
        if (!this.#isOn) return
        const { name } = reading
        const { snapshot } = this.table(table)
        const row = snapshot.rows.get(name)
        const isAhead = row !== undefined && isDatedAhead(row, reading.read.at.monotonicMs)
        if (isAhead) this.#readNow({ table, name })
        else snapshot.add(reading)
      },
      written: (name, isRead) => {
        if (!this.#isOn) return
        const target = { table, name }
        if (isRead) this.#written.push({ target, atMs: this.#deps.clock.now().monotonicMs })
        else this.#readNow(target)
      },
    }
  }

  /** Once the rows that this process wrote were read; those that it had read within the second are due, and not waited for. */
  async ownWrites(): Promise<void> {
    await Promise.all(this.#ownReads)
  }

  #readNow(target: Target): void {
    const reading = this.#confirmations.now(target)
    if (reading === null) return
    this.#ownReads.add(reading)
    void reading.finally(() => this.#ownReads.delete(reading))
  }

  #tickLater(): void {
    const { timer, closing } = this.#deps
    if (closing.aborted) return
    const cancel = timer.after(tickMs, () => {
      closing.removeEventListener('abort', cancel)
      void this.#tick()
        // A mistake in one tick must neither end the process nor stop the ticks, on which every page lives.
        .catch((error) => this.#logOnce(error, 'a tick of the watch failed'))
        .then(() => this.#tickLater())
    })
    closing.addEventListener('abort', cancel, { once: true })
  }

  async #tick(): Promise<void> {
    this.#readBack()
    for (const table of this.#tables.values()) {
      await inSlices(table.snapshot.lose(table.health.health.kind === 'lost'), this.#deps.clock)
      await inSlices(table.snapshot.tick(), this.#deps.clock)
      table.prune()
    }
    this.#confirmations.tick()
    this.streams.tick()
  }

  /** Rows that were written here and not read since are due. */
  #readBack(): void {
    const nowMs = this.#deps.clock.now().monotonicMs
    for (;;) {
      const [first] = this.#written
      if (first === undefined || nowMs - first.atMs < readBackMs) return
      this.#written.shift()
      const { target, atMs } = first
      const row: WatchedRow | undefined = this.table(target.table).snapshot.rows.get(target.name)
      if (row === undefined || row.read.sent.monotonicMs < atMs) this.#confirmations.due(target)
    }
  }

  #logFailure(error: unknown): void {
    // While Cassandra does not answer, every page says so; the log has the requests that fail.
    if (isLeaseholdError(error, 'store-unavailable')) return
    this.#logOnce(error, 'a scan or a confirmation of leases failed')
  }

  /** Once a minute: what fails once fails again soon. */
  #logOnce(error: unknown, what: string): void {
    const { monotonicMs } = this.#deps.clock.now()
    if (monotonicMs < this.#silentUntilMs) return
    this.#silentUntilMs = monotonicMs + logEveryMs
    this.#deps.log.error({ error }, what)
  }
}
