/**
 * The newest version of each sealed row, so that an older row which the writer's role puts back is refused. Its seal
 * holds (row-seal.ts): only something that the writer cannot take back tells that it is not the latest.
 *
 * 1. Each change of a sealed row raises its version by one, by the conditional write that makes the change.
 * 2. The audit entry that says what was done carries the row's table, key and new version (`rows`); a row that is ended
 *    for good (a token revoked, a session signed out) has the version `null` there. An entry that is written before a
 *    conditional write names no version which that write is to make: if it fails, the row as it is would be refused.
 * 3. The process that made the change notes it at once. Every other process follows the chain (audit/chain/end/follower.ts)
 *    from where its key began, and notes what entries name.
 * 4. A row counts if its seal holds and its version is at least the noted one.
 *
 * Guarantees: a row older than one that an entry of the chain names, and one that was ended, does not count: at once in the
 * process that wrote the entry, in the others when they have followed the chain that far; `catchUp` waits for that.
 * Does not guarantee: anything of a row whose change was never written into the chain, which a process that ends between
 * the change and its outcome leaves until the recovery writes it.
 * Assumes: the chain is whole. When it is cut, acts are refused (audit/chain/end/chain-end.ts).
 */

/** What an audit entry says of a row. */
export interface RowVersion {
  table: string
  key: string
  /** null: ended for good; its key is never used again. */
  version: number | null
  /** After this the row is void by its own sealed columns, and need not be remembered; left out: for ever. */
  untilMs?: number | undefined
}

interface Mark {
  /** Infinity: ended. */
  version: number
  untilMs: number
}

const sweepEvery = 1_000

export class RowVersions {
  readonly #nowMs: () => number
  readonly #marks = new Map<string, Mark>()
  #untilSweep = sweepEvery

  /** @param nowMs the wall clock's, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A change that was made, here or, as the chain says, elsewhere. */
  note({ table, key, version, untilMs = Number.POSITIVE_INFINITY }: RowVersion): void {
    if (untilMs <= this.#nowMs()) return
    const id = idOf(table, key)
    const before = this.#marks.get(id)
    this.#marks.set(id, {
      version: Math.max(before?.version ?? 0, version ?? Number.POSITIVE_INFINITY),
      untilMs: Math.max(before?.untilMs ?? 0, untilMs),
    })
    this.#untilSweep -= 1
    if (this.#untilSweep <= 0) this.#sweep()
  }

  /** Whether a row of this version, whose seal holds, is no older than what is known of it. */
  isCurrent(table: string, key: string, version: number): boolean {
    return version >= (this.#marks.get(idOf(table, key))?.version ?? 0)
  }

  /** All that is known. */
  all(): RowVersion[] {
    this.#sweep()
    return [...this.#marks].map(([id, { version, untilMs }]) => {
      const [table, key] = JSON.parse(id) as [string, string]
      return {
        table,
        key,
        version: Number.isFinite(version) ? version : null,
        untilMs: Number.isFinite(untilMs) ? untilMs : undefined,
      }
    })
  }

  #sweep(): void {
    this.#untilSweep = Math.max(sweepEvery, this.#marks.size)
    const nowMs = this.#nowMs()
    for (const [id, { untilMs }] of this.#marks) if (untilMs <= nowMs) this.#marks.delete(id)
  }
}

const idOf = (table: string, key: string): string => JSON.stringify([table, key])
