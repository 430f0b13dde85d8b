/**
 * Numbers that nobody else gets, strictly increasing, over any number of processes.
 *
 * A row holds the next free number. A block is allocated by moving it on, on condition that it is where it was read:
 *
 * 1. Read the next free number, N, at SERIAL.
 * 2. `UPDATE … SET next = N + count … IF next = N`. Applied: N to N + count − 1 are ours.
 * 3. Refused: somebody was faster; the answer says where it is now. Go on from there.
 * 4. Not answered: the block may be ours, and nobody will ever know. Leave it: a gap. Go on from a new read.
 *
 * Guarantees: no number twice, whatever answers are lost or late: `next` only grows, so that the condition of a
 * statement that lands late was met by it once or never will be. A block is greater than all that had been
 * allocated before it was asked for; `next` hands out of the block that it keeps.
 * Does not guarantee: that there are no gaps. Lost answers and blocks that were not used up leave some.
 * Assumes: nothing of clocks.
 * Tuned by: the block size. One conditional write costs the same for a thousand numbers as for one.
 */
import {
  InvalidArgumentError,
  isLeaseholdError,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from '../time/index.ts'

/** What a sequence asks of a store; the same errors as of a `LeaseStore`. */
export interface SequenceStore {
  /** The next free number at SERIAL; null: the sequence has not begun. */
  read(name: string): Promise<bigint | null>
  /** `IF next = from`, or `IF next = null`. `found`: where it is instead. */
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
  blockSize?: number
  /** For how long contention and lost answers are borne, in milliseconds. */
  settleMs?: number
  clock?: Clock
  timer?: Timer
  random?: () => number
}

export const maxBlock = 1_000_000

/**
 * @example
 * const invoices = new Sequence({ store: new CassandraSequenceStore(session), name: 'invoices', blockSize: 100 })
 * const number = await invoices.next()
 */
export class Sequence {
  readonly #options: Required<SequenceOptions>
  #kept: { next: bigint; last: bigint } | undefined
  /** Calls of `next` follow each other, so that one process does not contend with itself. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: SequenceOptions) {
    // Each by itself: one that is given as undefined is left out.
    const {
      blockSize = 1,
      settleMs = 20_000,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
    } = options
    this.#options = { ...options, blockSize, settleMs, clock, timer, random }
    checkCount('blockSize', this.#options.blockSize)
    if (options.name === '') throw new InvalidArgumentError('The name of the sequence is empty.')
  }

  /** One number. Those of a block that is not used up are lost with the process. */
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
   * `count` numbers in a row, greater than all that this sequence gave before.
   * @throws StoreUnavailableError, OutcomeUnknownError: no number was given, and some may be gone
   */
  async nextBlock(count: number): Promise<Block> {
    checkCount('count', count)
    const { store, name, settleMs, clock, timer, random } = this.#options
    const started = clock.now()
    let at: bigint | null | undefined
    let lost: unknown
    for (let tries = 0; ; tries++) {
      try {
        if (at === undefined) at = await store.read(name)
        const first: bigint = at ?? 1n
        const answer: SequenceAnswer = await store.advance(name, at, first + BigInt(count))
        if (answer.applied) return { first, last: first + BigInt(count) - 1n }
        at = answer.found
      } catch (thrown) {
        const unknown = isLeaseholdError(thrown, 'statement-unknown')
        if (!unknown && !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
        if (unknown) lost = thrown
        at = undefined
      }
      const leftMs = settleMs - elapsedMs(started, clock.now())
      if (leftMs <= 0)
        throw lost === undefined
          ? new StoreUnavailableError(
              `No number of ${JSON.stringify(name)} could be had within ${settleMs} ms.`,
            )
          : new OutcomeUnknownError(
              `No answer came for ${JSON.stringify(name)}: a block may be gone.`,
              name,
              null,
              { cause: lost },
            )
      // Contenders who collided spread out; the pause grows from 5 ms to 320 ms.
      await timer.sleep(Math.min(leftMs, 5 * 2 ** Math.min(tries, 6) * (0.5 + random())))
    }
  }
}

function checkCount(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1 || count > maxBlock)
    throw new InvalidArgumentError(`${what} is ${count}; a whole number from 1 to ${maxBlock} is expected.`)
}
