/**
 * Updates under one token, answers lost included. What the table guarantees is said in `fenced-table.ts`.
 *
 * Guarantees: *written* and *refused* are facts; what is neither is an OutcomeUnknownError. Updates of one guard to one
 * row are applied in the order of their calls, and none is applied after its outcome was said.
 * Does not guarantee: that order between two guards of one token. Make one for a tenure.
 */
import {
  isLeaseholdError,
  OutcomeUnknownError,
  type StatementUnknownError,
  StoreUnavailableError,
} from '../../lease/index.ts'
import type { Timer } from '../../time/index.ts'

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
  readonly #settleMs: number
  readonly #timer: Timer
  /** Rows to which an update of this token was, or may have been, applied. */
  readonly #written = new Set<string>()
  /** Rows to which an update of this token may still be under way. */
  readonly #open = new Set<string>()
  /** Updates of one row follow each other: what is seen there after a lost answer must be that update's. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(fencing: Fencing, holder: bigint | { readonly token: bigint }, settleMs: number, timer: Timer) {
    this.#fencing = fencing
    this.#holder = typeof holder === 'bigint' ? { token: holder } : holder
    this.#settleMs = settleMs
    this.#timer = timer
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
    let lost: unknown
    const patience = new Patience(this.#timer, this.#settleMs)
    for (;;) {
      let answer: UpdateAnswer | StatementUnknownError
      try {
        answer = await send(token, condition)
      } catch (thrown) {
        if (!isLeaseholdError(thrown, 'statement-unknown'))
          throw lost === undefined ? thrown : unknown('no later answer tells.', lost)
        answer = thrown
      }
      // 1. Answered.
      if (!(answer instanceof Error)) {
        if (answer.applied) {
          this.#remember(row)
          return { kind: 'written' }
        }
        if (answer.fence !== null && answer.fence > token) {
          if (lost === undefined) return { kind: 'refused', fence: answer.fence }
          throw unknown('an answer was lost, and a newer holder has written since.', lost)
        }
        // No fence is a case of its own: null is not less than anything.
        const next = answer.fence === null ? 'withoutFence' : 'upToFence'
        // Once is the rule. More often: first writers meet, or somebody takes the fence away.
        if ((next === 'upToFence' || condition === next) && !(await patience.again()))
          throw lost === undefined
            ? new StoreUnavailableError(`The row ${row} could not be written: its fence comes and goes.`)
            : unknown('no later answer tells.', lost)
        condition = next
        continue
      }
      // 2. Not answered, and nobody can say whether the request is still under way. Seeing it applied is final.
      lost = answer
      if (answer.finality === 'never') {
        if (!writtenBefore && (await this.#seen(key, token))) {
          this.#remember(row)
          return { kind: 'written' }
        }
        this.#open.add(row)
        throw unknown('no answer came, and it may still land.', answer)
      }
      // 3. Not answered in time by the server itself: after the SERIAL read, nothing of it is under way.
      const fence = await this.#read(key)
      if (fence === undefined) {
        this.#open.add(row)
        throw unknown('no answer came, and the row could not be read.', answer)
      }
      if (fence !== null && fence > token)
        throw unknown('no answer came, and a newer holder has written since.', answer)
      if (fence === token && !writtenBefore) {
        this.#remember(row)
        return { kind: 'written' }
      }
      // 4. Not applied, or, where this token has written before, applied perhaps: done again, it does the same.
      if (fence === token) this.#remember(row)
      else lost = undefined
      if (!(await patience.again())) throw unknown('no answer came.', answer)
    }
  }

  #remember(row: string): void {
    if (this.#written.size < rememberedRows) this.#written.add(row)
  }

  /** Whether a SERIAL read shows the token within `settleMs`. */
  async #seen(key: Columns, token: bigint): Promise<boolean> {
    const patience = new Patience(this.#timer, this.#settleMs)
    do {
      const fence = await this.#fencing.fence(key).catch(() => null)
      if (fence === token) return true
      if (fence !== null && fence > token) return false
    } while (await patience.again())
    return false
  }

  /** The fence at SERIAL; undefined: it could not be read within `settleMs`. */
  async #read(key: Columns): Promise<bigint | null | undefined> {
    const patience = new Patience(this.#timer, this.#settleMs)
    do {
      try {
        return await this.#fencing.fence(key)
      } catch (thrown) {
        if (!isLeaseholdError(thrown, 'store-unavailable')) return undefined
      }
    } while (await patience.again())
    return undefined
  }
}

/** Pauses that grow from 20 to 500 ms, until they add up to the budget. */
class Patience {
  readonly #timer: Timer
  readonly #budgetMs: number
  #waitedMs = 0

  constructor(timer: Timer, budgetMs: number) {
    this.#timer = timer
    this.#budgetMs = budgetMs
  }

  async again(): Promise<boolean> {
    if (this.#waitedMs >= this.#budgetMs) return false
    const pauseMs = Math.min(500, Math.max(20, this.#waitedMs))
    await this.#timer.sleep(pauseMs)
    this.#waitedMs += pauseMs
    return true
  }
}
