/**
 * The newest version of each sealed row, so that an older row which the writer's role puts back is refused. Its seal
 * holds (row-seal.ts): only something that the writer cannot take back shows that it is not the latest.
 *
 * 1. Each change of a sealed row raises its version, to the time in milliseconds or by one, by the conditional write that makes the
 *    change.
 * 2. The audit entry that says what was done carries the row's table, key and new version (`rows`); a row that is ended
 *    for good (a token revoked, a session signed out) has the version `null` there. An entry that is written before a
 *    conditional write names no version which that write is to make: if it fails, the row as it is would be refused.
 *    Of a write that was applied without effect (`WithoutEffect` in audit/audited.ts) that is what the entry is for.
 * 3. The process that made the change notes it at once. Every other process follows the chain (audit/chain/end/follower.ts)
 *    from where its key began, and notes what entries name.
 * 4. A row counts if its seal holds and its version is at least the noted one.
 * 5. While the chain was not followed to its end, the versions that it names are not known, and no row counts: `isCurrent`
 *    throws. It answers again when the chain was followed, or when the versions that this installation has kept beside its
 *    anchors stand in for a damaged chain (audit/anchors/versions-file.ts).
 *
 * Guarantees: a row older than one that an entry of the chain names, and one that was ended, does not count: at once in the
 * process that wrote the entry, in the others when they have followed the chain that far; `catchUp` waits for that.
 * Does not guarantee: anything of a row whose change was never written into the chain, which a process that ends between
 * the change and its outcome leaves until the recovery writes it.
 * Assumes: the chain is whole. When it is cut, acts are refused (audit/chain/end/chain-end.ts).
 */

import { HttpProblem } from '../http/http-problem.ts'

/** What an audit entry records of a row. */
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

/** Why the versions are not known. `unread`: the chain was not read yet. `damaged`: it was changed, as `detail` says. */
type Missing = { why: 'unread' } | { why: 'damaged'; detail: string }

export class RowVersions {
  readonly #nowMs: () => number
  readonly #marks = new Map<string, Mark>()
  #untilSweep = sweepEvery
  #missing: Missing | null = null

  /** @param nowMs the wall clock's, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Notes a change that this process made, or that the chain names. */
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

  /** From here on until `known`, no row counts. */
  miss(missing: Missing): void {
    this.#missing = missing
  }

  /** All versions that the chain names are noted. */
  known(): void {
    this.#missing = null
  }

  get isKnown(): boolean {
    return this.#missing === null
  }

  /** @throws HttpProblem not-ready */
  throwIfUnknown(): void {
    if (this.#missing !== null) throw new HttpProblem('not-ready', sentenceOf(this.#missing))
  }

  /**
   * Whether a row of this version, whose seal holds, is no older than what is known of it.
   * @throws HttpProblem not-ready
   */
  isCurrent(table: string, key: string, version: number): boolean {
    this.throwIfUnknown()
    return version >= (this.#marks.get(idOf(table, key))?.version ?? 0)
  }

  /** The newest version that is known of a row; null: none is. */
  newest(table: string, key: string): number | null {
    return this.#marks.get(idOf(table, key))?.version ?? null
  }

  /** The keys of rows that were written, and have not ended. @throws HttpProblem not-ready */
  keysOf(table: string): string[] {
    this.throwIfUnknown()
    return this.all().flatMap((row) => (row.table === table && row.version !== null ? [row.key] : []))
  }

  /** All known versions. */
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
    const nowMs = this.#nowMs()
    for (const [id, { untilMs }] of this.#marks) if (untilMs <= nowMs) this.#marks.delete(id)
    // By those that are left: counted before, each time would be later than the last by as many as are not void.
    this.#untilSweep = Math.max(sweepEvery, this.#marks.size)
  }
}

const idOf = (table: string, key: string): string => JSON.stringify([table, key])

function sentenceOf(missing: Missing): string {
  if (missing.why === 'unread')
    return 'This console has not read the audit log to its end since it started, and cannot tell a session or a token that counts from an older one. It tries again every second; try again in a moment.'
  return `The audit log was changed outside this console: ${missing.detail}. Which sessions and tokens count is not known here, so none does. On the server, run \`npm run audit -- verify\`, look through users and tokens, and restart the log with \`npm run audit -- restart\`: docs/operations.md, “When the log was changed”.`
}
