/**
 * Looks, newest row first, whether each row of a chain stands beside the one before it: sequence numbers have no gap, and a
 * bucket ends with a seal unless an operator restarted the chain in the next one; then with the entry that the restart names.
 *
 * Does not guarantee: anything of rows that are not read, nor of the end of the chain (chain/end/chain-end.ts).
 */
import type { AuditEntry } from '../../../contract/audit.ts'
import { restartOf } from '../chain/end/restart/restart-entry.ts'
import type { Spot } from '../chain/end/seen.ts'
import { nextOfSeal } from '../chain/entry-body.ts'

interface Above {
  bucket: string
  seq: number
  /** null: it was altered. */
  entry: AuditEntry | null
}

export class RowOrder {
  #above: Above | null = null
  readonly #isKept: boolean
  /**
   * The newest and the oldest place of each gap: a restart covers a place and all that come after it, and so may cover the
   * newest alone.
   */
  readonly missing: Spot[] = []

  /** @param isKept false: the oldest entries of a bucket expire */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  /** @param entry null: it was altered, which is an alarm of its own */
  row(bucket: string, seq: number, entry: AuditEntry | null): void {
    // Rows before the first are another client's.
    if (seq < 1) return
    const above = this.#above
    this.#above = { bucket, seq, entry }
    if (above === null) return
    if (above.bucket === bucket) this.#gap(bucket, seq, above.seq)
    else this.#lastOf(bucket, seq, entry, above)
  }

  /** Each row of this bucket was read, down to the first. */
  endOf(bucket: string): void {
    const { bucket: of, seq = 1 } = this.#above ?? {}
    if (of === bucket && this.#isKept) this.#gap(bucket, 0, seq)
  }

  /** The last row of a bucket, where `above` is the first one of the next bucket that was read. */
  #lastOf(bucket: string, seq: number, entry: AuditEntry | null, above: Above): void {
    if (above.entry === null) return
    if (above.entry.act === 'restart') {
      const { left } = restartOf(above.bucket, above.entry)
      if (left?.bucket === bucket) this.#gap(bucket, seq, left.seq + 1)
    } else if (entry !== null && nextOfSeal(entry) === null) this.#gap(bucket, seq, seq + 2)
  }

  /** Of the places between these two, no row. */
  #gap(bucket: string, after: number, before: number): void {
    const [oldest, newest] = [after + 1, before - 1]
    if (newest >= oldest) this.missing.push({ bucket, seq: newest })
    if (newest > oldest) this.missing.push({ bucket, seq: oldest })
  }
}
