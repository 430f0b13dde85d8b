/**
 * Runs a board of rows: a timeout fires at the zero of each row; then it reads the row until a read shows its state.
 * Time and reads come in from outside.
 */
import type { Lease } from '../../contract/leases/lease.ts'
import type { Sighting } from '../time/countdown.ts'
import type { Renewals } from './renewals.ts'
import { atTime, nextMoment, nextRow, type Row, rowKey, withLease, withoutHolder } from './row-board.ts'

/** The result of reading one lease. `readAtMs`: when its answer arrived. */
export type RowReading<L extends Lease> =
  | { held: true; sighting: Sighting<L> }
  | { held: false; readAtMs: number }

interface RowWatchParts<L extends Lease> {
  now: () => number
  setTimer: (run: () => void, ms: number) => unknown
  clearTimer: (timer: unknown) => void
  /** One SERIAL read of one lease. A rejection means: not known, ask again. */
  read: (lease: L) => Promise<RowReading<L>>
  /** Remembers leases that were seen to be renewed, from page to page. */
  renewals?: Renewals
}

/** Between two reads of a row that is still shown at its zero. */
export const backoffMs = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000)
/** Reads under way at once; a browser sends no more than six to one server anyway. */
const maxReads = 6
/** The longest that `setTimeout` takes without overflowing. */
const maxTimerMs = 2 ** 31 - 1

export class RowWatch<L extends Lease> {
  #rows: readonly Row<L>[] = []
  #paused = false
  #timer: unknown
  /** By key: the number of reads of a row at its zero, and when the next is due. */
  #asking = new Map<string, { attempt: number; dueAtMs: number; reading: boolean }>()
  readonly #parts: RowWatchParts<L>
  readonly #listeners = new Set<() => void>()

  constructor(parts: RowWatchParts<L>) {
    this.#parts = parts
  }

  readonly rows = (): readonly Row<L>[] => this.#rows

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#schedule()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#parts.clearTimer(this.#timer)
    }
  }

  /** With what other pages saw of it: a lease is in one state everywhere. */
  readonly #known = (sighting: Sighting<L>): Sighting<L> => this.#parts.renewals?.mark(sighting) ?? sighting

  /** The first rows, or others: they replace all rows. */
  replace(page: readonly Sighting<L>[]): void {
    this.#asking.clear()
    this.#set(page.map((sighting) => nextRow(this.#known(sighting), undefined)))
  }

  /** One lease, read by itself. */
  see(sighting: Sighting<L>): void {
    this.#set(withLease(this.#rows, this.#known(sighting)))
  }

  free(lease: { table: string; name: string }, readAtMs: number): void {
    this.#set(withoutHolder(this.#rows, rowKey(lease), readAtMs))
  }

  /** While Cassandra cannot be asked, nothing happens at zero: the rows show the past. */
  pause(on: boolean): void {
    if (this.#paused === on) return
    this.#paused = on
    this.#turn()
  }

  #set(rows: readonly Row<L>[]): void {
    this.#rows = this.#paused ? rows : atTime(rows, this.#parts.now(), false)
    this.#parts.renewals?.note(this.#rows)
    for (const listener of this.#listeners) listener()
    this.#schedule()
  }

  #turn(): void {
    const rows = this.#paused ? this.#rows : atTime(this.#rows, this.#parts.now(), false)
    if (rows !== this.#rows) this.#set(rows)
    else this.#schedule()
  }

  #schedule(): void {
    this.#parts.clearTimer(this.#timer)
    if (this.#paused || this.#listeners.size === 0) return
    const nowMs = this.#parts.now()
    this.#ask(nowMs)
    const due = [...this.#asking.values()].filter(({ reading }) => !reading).map(({ dueAtMs }) => dueAtMs)
    const moment = nextMoment(this.#rows, nowMs)
    const next = Math.min(moment ?? Number.POSITIVE_INFINITY, ...due.map((at) => Math.max(at, nowMs + 1)))
    if (next !== Number.POSITIVE_INFINITY)
      this.#timer = this.#parts.setTimer(() => this.#turn(), Math.min(maxTimerMs, Math.max(0, next - nowMs)))
  }

  #ask(nowMs: number): void {
    let reads = 0
    for (const ask of this.#asking.values()) if (ask.reading) reads++
    const open = new Map(this.#rows.filter((row) => row.state === 'verifying').map((row) => [row.key, row]))
    for (const [key, ask] of this.#asking) if (!open.has(key) && !ask.reading) this.#asking.delete(key)
    for (const [key, row] of open) {
      const ask = this.#asking.get(key) ?? { attempt: 0, dueAtMs: nowMs, reading: false }
      this.#asking.set(key, ask)
      if (ask.reading || ask.dueAtMs > nowMs || reads >= maxReads) continue
      ask.reading = true
      reads++
      this.#read(row, ask)
    }
  }

  async #read(row: Row<L>, ask: { attempt: number; dueAtMs: number; reading: boolean }): Promise<void> {
    let reading: RowReading<L> | undefined
    try {
      reading = await this.#parts.read(row.lease)
    } catch {
      // Unknown. The page shows elsewhere that the server is silent; this row is read again.
    }
    ask.reading = false
    ask.dueAtMs = this.#parts.now() + backoffMs(ask.attempt++)
    if (reading?.held) this.see(reading.sighting)
    else if (reading) this.free(row.lease, reading.readAtMs)
    else this.#schedule()
  }
}
