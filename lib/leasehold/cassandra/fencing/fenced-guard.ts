/**
 * Updates under one token, also when answers are lost. `fenced-table.ts` states the guarantees of the table.
 *
 * Guarantees: *written* and *refused* are facts; any other outcome is an OutcomeUnknownError. Cassandra applies the
 * updates of one guard to one row in the order of the calls, and none after its outcome *written* or *refused*.
 * Does not guarantee: that order between two guards of one token. Make one guard per tenure.
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

/** What a guard needs of its table. */
export interface Fencing {
  prepare(key: Columns, columns: Columns): PreparedUpdate
  fence(key: Columns): Promise<bigint | null>
}

interface PreparedUpdate {
  /** One for all spellings of the row's key (`rowId`). */
  readonly id: string
  /** The row's key, for errors. */
  readonly row: string
  send(token: bigint, condition: 'upToFence' | 'withoutFence'): Promise<UpdateAnswer>
}

/** How many rows the guard remembers. Beyond that, it treats every row as one that it has written before. */
const rememberedRows = 10_000

/** The updates of one tenure to one fenced table. */
export class FencedGuard {
  readonly #fencing: Fencing
  readonly #holder: { readonly token: bigint }
  readonly #engine: OutcomeEngine
  /** Rows that an update of this token has written. */
  readonly #written = new Set<string>()
  /** Rows to which an update of this token may still be under way. */
  readonly #open = new Set<string>()
  /** The last update of each row: the next one waits for it, so that a read after a lost answer shows that update. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(fencing: Fencing, holder: bigint | { readonly token: bigint }, engine: OutcomeEngine) {
    this.#fencing = fencing
    this.#holder = typeof holder === 'bigint' ? { token: holder } : holder
    this.#engine = engine
  }

  /**
   * Sets columns of one row, which need not exist, unless a newer holder has written it. An update without columns
   * claims the row: from then on, Cassandra refuses every older holder.
   *
   * After an `OutcomeUnknownError` the update may have been applied, or may be applied within the next half minute,
   * even over a later update of the same token. So this guard sends no other update to that row. Give the lease up and
   * acquire it again: once the next token has written the row, Cassandra refuses the late update. Then read the row to
   * see its state.
   * @param columns names and values; null clears a column
   * @throws LeaseLostError when the guard's lease is lost by now (nothing was sent),
   * InvalidArgumentError, StoreUnavailableError (nothing was sent), StoreRefusedError, OutcomeUnknownError
   */
  async update(key: Columns, columns: Columns): Promise<FencedOutcome> {
    const prepared = this.#fencing.prepare(key, columns)
    const { id } = prepared
    const before = this.#turns.get(id) ?? Promise.resolve()
    const turn = before.then(() => this.#update(key, prepared))
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(id) === settled) this.#turns.delete(id)
      })
    this.#turns.set(id, settled)
    return turn
  }

  async #update(key: Columns, { id, row, send }: PreparedUpdate): Promise<FencedOutcome> {
    // Read at each update: the token of a lost lease throws.
    const { token } = this.#holder
    const unknown = (why: string, cause?: unknown) =>
      new OutcomeUnknownError(`Whether the row ${row} was written is unknown: ${why}`, row, null, { cause })
    if (this.#open.has(id)) throw unknown('an earlier update of this token may still land there.')
    const writtenBefore = this.#written.size >= rememberedRows || this.#written.has(id)
    let condition: 'upToFence' | 'withoutFence' = 'upToFence'
    /** The last lost answer, until a read has shown the outcome of its update. */
    let lost: StatementUnknownError | undefined
    const written = (): Verdict<FencedOutcome> => {
      this.#open.delete(id)
      this.#remember(id)
      return { done: { kind: 'written' } }
    }
    return this.#engine.settle<FencedOutcome>({
      name: 'fenced-write',
      resolution: ({ kind }) => (kind === 'written' ? 'applied' : 'superseded'),
      // 1. Answered.
      send: async () => {
        const answer = await send(token, condition)
        if (answer.applied) return written()
        if (answer.fence !== null && answer.fence > token)
          return lost === undefined
            ? { done: { kind: 'refused', fence: answer.fence } }
            : { unknown: 'an answer was lost, and a newer holder has written since.' }
        // A row without a fence needs the other condition: `<=` is false for null. This usually happens once; more
        // often only if first writers meet, or another client clears the fence.
        const soon = condition === 'upToFence' && answer.fence === null
        condition = answer.fence === null ? 'withoutFence' : 'upToFence'
        return { next: 'send', soon }
      },
      // 2. Not answered. The update may be under way: the guard sends no other one to the row until a read shows its
      //    end.
      lost: (error) => {
        lost = error
        this.#open.add(id)
        // This token has written the row before: a read of the fence shows nothing.
        return error.finality === 'never' && writtenBefore
          ? { unknown: 'no answer came, and it may still land.' }
          : { next: 'look', soon: true }
      },
      look: async () => {
        const fence = await this.#fencing.fence(key)
        // Seeing it applied is final.
        if (fence === token && !writtenBefore) return written()
        const settled = lost?.finality === 'read'
        // 3. The server itself reported the time-out: after the SERIAL read, nothing of the update is under way.
        if (settled) this.#open.delete(id)
        if (fence !== null && fence > token)
          return { unknown: 'no answer came, and a newer holder has written since.' }
        if (!settled) return { next: 'look' }
        // 4. The update was applied, or an earlier one of this token: to repeat it has the same effect.
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

  #remember(id: string): void {
    if (this.#written.size < rememberedRows) this.#written.add(id)
  }
}
