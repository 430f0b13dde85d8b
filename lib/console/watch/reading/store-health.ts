/**
 * Whether Cassandra answers the reads that the watch sends of one table: scans, and reads of single rows.
 *
 * 1. The table is lost once reads have failed for `lostAfterMs`, and none was answered meanwhile. Any answer ends that.
 * 2. The table is partial where some reads are answered and others fail: the replicas of a part of its tokens are down. This shows when a
 *    scan fails that had answers, when a scan is answered while reads of rows fail, and when a row is answered after a scan has failed. A
 *    partial table is not lost by step 1, until
 *    - a scan comes to its end: the table is partial no more; or
 *    - a scan fails without an answer, and no row was answered since the scan before it failed. A scan that has waited for its first
 *      answer for `silentScanMs` counts as failed.
 * 3. An answered row speaks for the table for `rowSpeaksMs`, unless a read of a row fails meanwhile. Where scans fail and one free name
 *    is read, there is no other read by which the table could be known.
 *
 * Guarantees: while some statements of each scan are answered, or rows between the scans, the table stays good; the rows that cannot be
 * read grow old, and each says so. While no read is answered, the table is lost `lostAfterMs` after the first read of a row, or the first
 * scan, that fails. If it was partial before, it is lost by the first scan that gets no answer, and follows a pause in which no row was
 * answered either.
 * Does not guarantee: that a table which becomes partial is not lost for a while, once. Where the reads that are sent are all of its
 * silent part, nothing else is known until the next scan begins. Nor that it stays good where whole scans succeed and every read of a row
 * that is sent fails, as those of one contended row may.
 * Tuned by: `silentScanMs`, which is longer than the first statement of a scan takes while its replicas are up.
 */
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'

/** One read may fail where others succeed, by contention. It is Cassandra when none has succeeded for this long. */
const lostAfterMs = 1_500
const silentScanMs = 3_000
/** The rows that are read most seldom while a page shows them, names without a row, are read every 2 s. */
const rowSpeaksMs = 2_500

type StoreHealth =
  | { kind: 'good' }
  | {
      kind: 'lost'
      sinceMs: number
      asOfMs: number | null
      /** Cassandra refused the read that failed last: the console’s role may not read the table, or the table is gone. */
      isRefused: boolean
    }

export class StoreHealthWatch {
  readonly #clock: Clock
  /** Since when all reads fail; null: the last one was answered. */
  #failing: { sinceMs: number; wallMs: number; isRefused: boolean } | null = null
  #answeredAtMs: number | null = null
  /** When a row was answered; null: the last read of a row failed. */
  #rowAnsweredMs: number | null = null
  /** The scan that is under way. */
  #scan: { beganMs: number; isAnswered: boolean } | null = null
  /** Scans that have failed since the last answer of any read. */
  #failedScans = 0
  #didScanFail = false
  #isPartial = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A read of a row was answered. */
  answered(): void {
    this.#rowAnsweredMs = this.#clock.now().monotonicMs
    this.#answer()
  }

  /** A read of a row failed. */
  failed(error: unknown): void {
    this.#rowAnsweredMs = null
    this.#fail(error)
  }

  scanBegan(): void {
    this.#scan = { beganMs: this.#clock.now().monotonicMs, isAnswered: false }
  }

  /** A statement of the scan was answered. */
  scanAnswered(): void {
    if (this.#scan !== null) this.#scan.isAnswered = true
    if (this.#failing !== null) this.#isPartial = true
    this.#answer()
  }

  scanFailed(error: unknown): void {
    this.#fail(error)
    this.#failedScans++
    if (this.#scan?.isAnswered) this.#isPartial = true
    else if (this.#failedScans > 1) this.#isPartial = false
    this.#didScanFail = true
    this.#scan = null
  }

  /** The scan came to its end: the whole table was read. */
  scanEnded(): void {
    this.#isPartial = false
    this.#didScanFail = false
    this.#scan = null
  }

  get health(): StoreHealth {
    const failing = this.#failing
    if (failing === null) return { kind: 'good' }
    const ageMs = (sinceMs: number) => this.#clock.now().monotonicMs - sinceMs
    const hasFailed = ageMs(failing.sinceMs) >= lostAfterMs
    const isScanSilent =
      this.#failedScans > 0 && this.#scan !== null && ageMs(this.#scan.beganMs) >= silentScanMs
    const speaksRow = this.#rowAnsweredMs !== null && ageMs(this.#rowAnsweredMs) < rowSpeaksMs
    if (!hasFailed || speaksRow || (this.#isPartial && !isScanSilent)) return { kind: 'good' }
    const { wallMs, isRefused } = failing
    return { kind: 'lost', sinceMs: wallMs, asOfMs: this.#answeredAtMs, isRefused }
  }

  #answer(): void {
    if (this.#didScanFail) this.#isPartial = true
    this.#failing = null
    this.#failedScans = 0
    this.#answeredAtMs = this.#clock.now().wallMs
  }

  #fail(error: unknown): void {
    const { monotonicMs, wallMs } = this.#clock.now()
    this.#failing ??= { sinceMs: monotonicMs, wallMs, isRefused: false }
    this.#failing.isRefused = isLeaseholdError(error, 'store-refused')
  }
}
