/**
 * Numbers that no other caller gets, strictly increasing, over any number of processes.
 *
 * A row holds the next free number. To allocate a block, a process moves that number on, on condition that it has not
 * moved since the process read it:
 *
 * 1. Read the next free number, N, at SERIAL.
 * 2. `UPDATE … SET next = N + count … IF next = N`. Applied: N to N + count − 1 are ours.
 * 3. Refused: another process was faster, and the answer has the number as it is now. Go on from there.
 * 4. Not answered: the block may be ours, and no read can show it. Leave it as a gap, and begin again at 1.
 *
 * Guarantees: no number twice, whatever answers are lost or late. The row's `next` only grows, so that a statement
 * takes effect once at most, however late it lands. The numbers of a block are greater than all those allocated before
 * the caller asked; `next()` takes its numbers from the block that it keeps.
 * Does not guarantee: that there are no gaps. Lost answers and blocks that were not used up leave some.
 * Assumes: nothing of clocks.
 * Tuned by: the block size. One conditional write costs the same for a thousand numbers as for one.
 */
import {
  defaultSettleMs,
  InvalidArgumentError,
  OutcomeEngine,
  OutcomeUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../time/index.ts'

/** What a sequence needs of a store; it throws the errors of a `LeaseStore`. */
export interface SequenceStore {
  /** The next free number at SERIAL; null: the sequence has not begun. */
  read(name: string): Promise<bigint | null>
  /**
   * Sets `next` to `to`, `IF next = from` or `IF next = null`. `found`: the number that the row has instead.
   * @throws StoreRefusedError when `to` is above `maxNext` (`checkNext`)
   */
  advance(name: string, from: bigint | null, to: bigint): Promise<SequenceAnswer>
}

export type SequenceAnswer = { applied: true } | { applied: false; found: bigint | null }

/** Numbers from `first` to `last`, both included. */
export interface Block {
  readonly first: bigint
  readonly last: bigint
}

export interface SequenceOptions {
  store: SequenceStore
  name: string
  /** How many numbers `next` allocates at once and keeps for later; 1: it keeps none. */
  blockSize?: number | undefined
  /** How long to retry after contention and lost answers, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
  telemetry?: Telemetry | undefined
}

export const maxBlock = 1_000_000

/** The greatest number that a row holds, a signed bigint. The last one that a sequence gives is one less: the row has the next. */
export const maxNext = 2n ** 63n - 1n

/** For stores: the driver writes a greater number wrapped round, as a negative one. @throws StoreRefusedError */
export function checkNext(name: string, to: bigint): void {
  if (to > maxNext)
    throw new StoreRefusedError(
      `The sequence ${JSON.stringify(name)} cannot go on to ${to}: it ends before ${maxNext}. Begin another one.`,
    )
}

/** The first pause after contention, in milliseconds. Short: each contender needs the row for a moment only. */
const contendedPauseMs = 5

/**
 * @example
 * const invoices = new Sequence({ store: session.sequences, name: 'invoices', blockSize: 100 })
 * const number = await invoices.next()
 */
export class Sequence {
  readonly #options: { store: SequenceStore; name: string; blockSize: number }
  readonly #engine: OutcomeEngine
  #kept: { next: bigint; last: bigint } | undefined
  /** Calls of `next` follow each other, so that one process does not contend with itself. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ store, name, blockSize = 1, ...rest }: SequenceOptions) {
    const {
      settleMs = defaultSettleMs,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
      telemetry,
    } = rest
    checkCount('blockSize', blockSize)
    if (name === '') throw new InvalidArgumentError('The name of the sequence is empty.')
    this.#options = { store, name, blockSize }
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry })
  }

  /** One number. When the process ends, the unused numbers of its block are lost. */
  next(): Promise<bigint> {
    const turn = this.#queue.then(async () => {
      if (this.#kept === undefined || this.#kept.next > this.#kept.last) {
        const { first, last } = await this.nextBlock(this.#options.blockSize)
        this.#kept = { next: first, last }
      }
      return this.#kept.next++
    })
    this.#queue = turn.catch(() => {})
    return turn
  }

  /**
   * `count` consecutive numbers, greater than all that this sequence allocated before.
   * @throws StoreUnavailableError, OutcomeUnknownError: the caller has no number, and some may be lost; StoreRefusedError, also
   * where the sequence ends, perhaps by a block of this call whose answer was lost: its numbers stay below 2^63 − 1
   */
  async nextBlock(count: number): Promise<Block> {
    checkCount('count', count)
    const { store, name } = this.#options
    const text = JSON.stringify(name)
    let at: bigint | null = null
    return this.#engine.settle<Block>(
      {
        name: 'sequence',
        // The block whose answer was lost stays a gap: whether it was allocated is never found out.
        resolution: () => 'open',
        first: 'look',
        async look() {
          at = await store.read(name)
          return { next: 'send', soon: true }
        },
        async send() {
          const first = at ?? 1n
          const next = first + BigInt(count)
          if (next > maxNext)
            return {
              fail: new StoreRefusedError(
                `The sequence ${text} has no ${count} numbers left: its next one is ${first}, and a sequence ends before ${maxNext}. Begin another one.`,
              ),
              resolution: 'open',
            }
          const answer = await store.advance(name, at, next)
          if (answer.applied) return { done: { first, last: next - 1n } }
          at = answer.found
          return { next: 'send' }
        },
        // The block may be ours, and no read can show it: leave it.
        lost: () => ({ next: 'look' }),
        ridesOutUnavailable: true,
        unknown: (why, cause) =>
          new OutcomeUnknownError(`Some numbers of ${text} may be lost: ${why}`, name, null, { cause }),
        exhausted: (cause) =>
          new StoreUnavailableError(`No number of ${text} came within ${this.#engine.settleMs} ms.`, {
            cause,
          }),
      },
      { firstPauseMs: contendedPauseMs },
    )
  }
}

function checkCount(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1 || count > maxBlock)
    throw new InvalidArgumentError(`${what} is ${count}; a whole number from 1 to ${maxBlock} is expected.`)
}
