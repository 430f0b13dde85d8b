/**
 * Looks, newest row first, whether each row of a chain stands beside the one before it: sequence numbers have no gap, and a
 * bucket ends with a seal unless an operator restarted the chain in the next one.
 *
 * Does not guarantee: anything of rows that are not read, nor of the end of the chain (chain/end/chain-end.ts).
 */
import type { AuditEntry } from '../../../contract/audit.ts'
import { nextOfSeal } from '../chain/entry-body.ts'

interface Above {
  bucket: string
  seq: number
  isRestart: boolean
}

export class RowOrder {
  #above: Above | null = null
  readonly #isKept: boolean
  /** Of each bucket the newest place that should have an entry, and has none. */
  readonly missing = new Map<string, number>()

  /** @param isKept false: the oldest entries of a bucket expire */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  /** @param entry null: it was altered, which is an alarm of its own */
  row(bucket: string, seq: number, entry: AuditEntry | null): void {
    // Rows before the first are another client's.
    if (seq < 1) return
    const above = this.#above
    this.#above = { bucket, seq, isRestart: entry === null || entry.act === 'restart' }
    if (above === null) return
    if (above.bucket === bucket) {
      if (seq < above.seq - 1) this.#note(bucket, above.seq - 1)
    } else if (!above.isRestart && entry !== null && nextOfSeal(entry) === null) this.#note(bucket, seq + 1)
  }

  /** Each row of this bucket was read, down to the first. */
  endOf(bucket: string): void {
    const { bucket: of, seq = 1 } = this.#above ?? {}
    if (of === bucket && seq > 1 && this.#isKept) this.#note(bucket, seq - 1)
  }

  #note(bucket: string, seq: number): void {
    if (!this.missing.has(bucket)) this.missing.set(bucket, seq)
  }
}
