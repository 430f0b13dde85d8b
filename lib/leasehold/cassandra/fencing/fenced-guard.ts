/**
 * Updates under one token, answers lost included. What the table guarantees is said in `fenced-table.ts`.
 *
 * Guarantees: *written* and *refused* are facts; what is neither is an OutcomeUnknownError. Updates of one guard to one
 * row are applied in the order of their calls, and none is applied after its outcome was said.
 * Does not guarantee: that order between two guards of one token. Make one for a tenure.
 */
import {
  type OutcomeEngine,
  OutcomeUnknownError,
  type StatementUnknownError,
  StoreUnavailableError,
  type Verdict,
} from '../../lease/index.ts'

/** Names and values of columns. */
export type Columns = Readonly<Record<string, unknown>>

export type FencedOutcome =
  | { kind: 'written' }
  /** Not applied: a newer holder, whose token is `fence`, has written the row. */
  | { kind: 'refused'; fence: bigint }

export type UpdateAnswer = { applied: true } | { applied: false; fence: bigint | null }

/** What a guard asks of its table. */
export interface Fencing {
  prepare(key: Columns, columns: Columns): PreparedUpdate
  fence(key: Columns): Promise<bigint | null>
}

export interface PreparedUpdate {
  /** The row's key, as text. */
  readonly row: string
  send(token: bigint, condition: 'upToFence' | 'withoutFence'): Promise<UpdateAnswer>
}

/** More rows than these are not told apart: then a lost answer counts as one of a row that was written before. */
const rememberedRows = 10_000

/** The updates of one tenure to one fenced table. */
export class FencedGuard {
  readonly #fencing: Fencing
  readonly #holder: { readonly token: bigint }
  readonly #engine: OutcomeEngine
  /** Rows to which an update of this token was, or may have been, applied. */
  readonly #written = new Set<string>()
  /** Rows to which an update of this token may still be under way. */
  readonly #open = new Set<string>()
  /** Updates of one row follow each other: what is seen there after a lost answer must be that update's. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(fencing: Fencing, holder: bigint | { readonly token: bigint }, engine: OutcomeEngine) {
    this.#fencing = fencing
    this.#holder = typeof holder === 'bigint' ? { token: holder } : holder
    this.#engine = engine
  }

  /**
   * Sets columns of one row, which need not exist, unless a newer holder has written it. An update of no column
   * claims the row: from then on, every older holder is refused.
   *
   * After an `OutcomeUnknownError`, the update may have been applied, or may be applied within the next half minute,
   * also over a later update of the same token; so this guard sends no other one to that row. Give the lease up and
   * acquire it anew: once anything was written under the next token, what is late is refused. Then read the row to
   * see what it holds.
   * @param columns names and values; null clears a column
   * @throws LeaseLostError when the guard was made of a lease that is lost by now (nothing was sent),
   * InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError, OutcomeUnknownError
   */
  async update(key: Columns, columns: Columns): Promise<FencedOutcome> {
    const prepared = this.#fencing.prepare(key, columns)
    const { row } = prepared
    const before = this.#turns.get(row) ?? Promise.resolve()
    const turn = before.then(() => this.#update(key, prepared))
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(row) === settled) this.#turns.delete(row)
      })
    this.#turns.set(row, settled)
    return turn
  }

  async #update(key: Columns, { row, send }: PreparedUpdate): Promise<FencedOutcome> {
    // Asked now, not when the guard was made: a lease that is lost throws.
    const { token } = this.#holder
    const unknown = (why: string, cause?: unknown) =>
      new OutcomeUnknownError(`Whether the row ${row} was written is unknown: ${why}`, row, null, { cause })
    if (this.#open.has(row)) throw unknown('an earlier update of this token may still land there.')
    const writtenBefore = this.#written.size >= rememberedRows || this.#written.has(row)
    let condition: 'upToFence' | 'withoutFence' = 'upToFence'
    /** The answer that was lost last, until a read has settled what became of its update. */
    let lost: StatementUnknownError | undefined
    const written = (): Verdict<FencedOutcome> => {
      this.#open.delete(row)
      this.#remember(row)
      return { done: { kind: 'written' } }
    }
    return this.#engine.settle<FencedOutcome>({
      // 1. Answered.
      send: async () => {
        const answer = await send(token, condition)
        if (answer.applied) return written()
        if (answer.fence !== null && answer.fence > token)
          return lost === undefined
            ? { done: { kind: 'refused', fence: answer.fence } }
            : { unknown: 'an answer was lost, and a newer holder has written since.' }
        // No fence is a case of its own: null is not less than anything. Once is the rule. More often: first writers meet,
        // or another client takes the fence away.
        const soon = condition === 'upToFence' && answer.fence === null
        condition = answer.fence === null ? 'withoutFence' : 'upToFence'
        return { next: 'send', soon }
      },
      // 2. Not answered. The update may still be under way: this guard sends no other one to the row until a read has told.
      lost: (error) => {
        lost = error
        this.#open.add(row)
        // The token is there already, and tells nothing.
        return error.finality === 'never' && writtenBefore
          ? { unknown: 'no answer came, and it may still land.' }
          : { next: 'look', soon: true }
      },
      look: async () => {
        const fence = await this.#fencing.fence(key)
        // Seeing it applied is final.
        if (fence === token && !writtenBefore) return written()
        const settled = lost?.finality === 'read'
        // 3. Not answered in time by the server itself: after the SERIAL read, nothing of it is under way.
        if (settled) this.#open.delete(row)
        if (fence !== null && fence > token)
          return { unknown: 'no answer came, and a newer holder has written since.' }
        if (!settled) return { next: 'look' }
        // 4. Applied perhaps, where this token has written before: done again, it does the same.
        if (fence === token) return { next: 'send' }
        // Not applied.
        lost = undefined
        return { next: 'send', settled: true }
      },
      unknown,
      exhausted: (cause) =>
        new StoreUnavailableError(`The row ${row} could not be written within ${this.#engine.settleMs} ms.`, {
          cause,
        }),
    })
  }

  #remember(row: string): void {
    if (this.#written.size < rememberedRows) this.#written.add(row)
  }
}
