/**
 * One scan after the other, over all tables of the process.
 *
 * Guarantees: never two scans at once, whatever the number of tables and viewers. After a scan of a table the next one of that
 * table begins no sooner than four times the scan's length later, and than `pauseMinMs`: scans take a fifth of the time at
 * most.
 * Tuned by: `rowsAtOnce`. Between two statements the process does other work. The rows of one are decoded in some 10 ms, and
 * compared in slices (building/in-slices.ts).
 */
import { isLeaseholdError, type RowScan } from 'leasehold/lease'
import { type Clock, elapsedMs, surelyElapsedMs, type Timer } from 'leasehold/time'
import { inSlices } from '../building/in-slices.ts'

/** Rows of one statement. The driver fetches 5,000 at most. */
const rowsAtOnce = 2_000
export const pauseMinMs = 2_000
/** As many times its own length a scan is followed by none. */
const pauseTimes = 4

export interface ScannedTable {
  scanRows(range: { afterToken?: string | undefined; limit: number }): Promise<RowScan>
  readonly snapshot: {
    beginScan(): void
    addScanned(rows: RowScan): Iterator<void, void>
    endScan(): Iterator<void, void>
  }
}

/** Of the last scan that came to its end. */
export interface ScanEnd {
  readonly endedAtMs: number
  readonly rows: number
  readonly tookMs: number
  readonly pauseMs: number
}

interface ScannerDeps {
  readonly clock: Clock
  readonly timer: Timer
  began(id: string): void
  /** A statement of the scan was answered. */
  answered(id: string): void
  failed(id: string, error: unknown): void
  /** A scan of this table has come to its end. */
  ended(id: string, end: ScanEnd): void
}

const pauseAfter = (tookMs: number): number => Math.max(pauseMinMs, pauseTimes * tookMs)

export class Scanner {
  readonly #tables: ReadonlyMap<string, ScannedTable>
  readonly #deps: ScannerDeps
  /** When each table may be scanned again, by the monotonic clock. */
  readonly #nextMs = new Map<string, number>()

  constructor(tables: ReadonlyMap<string, ScannedTable>, deps: ScannerDeps) {
    this.#tables = tables
    this.#deps = deps
  }

  /** Until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, timer, failed } = this.#deps
    for (const id of this.#tables.keys()) this.#nextMs.set(id, clock.now().monotonicMs)
    while (!signal.aborted) {
      const [id, atMs] = [...this.#nextMs].reduce((first, other) => (other[1] < first[1] ? other : first))
      const waitMs = atMs - clock.now().monotonicMs
      if (waitMs > 0) {
        await timer.sleep(waitMs, signal)
        continue
      }
      try {
        await this.#scan(id, this.#tables.get(id) as ScannedTable, signal)
      } catch (thrown) {
        if (isLeaseholdError(thrown, 'closed')) return
        failed(id, thrown)
        this.#nextMs.set(id, clock.now().monotonicMs + pauseMinMs)
      }
    }
  }

  async #scan(id: string, table: ScannedTable, signal: AbortSignal): Promise<void> {
    const { clock, began, answered, ended } = this.#deps
    const begun = clock.now()
    const { snapshot } = table
    began(id)
    snapshot.beginScan()
    let rows = 0
    let afterToken: string | undefined
    do {
      const scanned = await table.scanRows({ limit: rowsAtOnce, afterToken })
      if (signal.aborted) return
      answered(id)
      await inSlices(snapshot.addScanned(scanned), clock)
      rows += scanned.rows.length
      afterToken = scanned.nextToken ?? undefined
    } while (afterToken !== undefined)
    await inSlices(snapshot.endScan(), clock)
    const now = clock.now()
    // By the monotonic clock alone: a machine that slept for an hour while it scanned need not pause for four.
    const pauseMs = pauseAfter(surelyElapsedMs(begun, now))
    this.#nextMs.set(id, now.monotonicMs + pauseMs)
    ended(id, { endedAtMs: now.wallMs, rows, tookMs: elapsedMs(begun, now), pauseMs })
  }
}
