/**
 * Numbers that nobody else gets, from a server.
 *
 * Guarantees: no number twice, as in `sequence/`. A request whose answer is lost is sent again under the same
 * `Idempotency-Key`: as long as the server could keep its answer, that gives the same block, and leaves no gap.
 * Does not guarantee: that there are no gaps.
 * Assumes: nothing of clocks.
 */
import { randomUUID } from 'node:crypto'
import {
  defaultSettleMs,
  InvalidArgumentError,
  OutcomeEngine,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { type Block, maxBlock } from '../sequence/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../time/index.ts'
import { bigintOf } from './json.ts'
import type { LeaseholdServer } from './server.ts'

export interface HttpSequenceOptions {
  server: LeaseholdServer
  name: string
  /** For how long lost answers are pursued, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
}

const timeoutMs = 30_000

/**
 * @example
 * const invoices = new HttpSequence({ server, name: 'invoices' })
 * const { first, last } = await invoices.nextBlock(100)
 */
export class HttpSequence {
  readonly #server: LeaseholdServer
  readonly #name: string
  readonly #engine: OutcomeEngine

  constructor({ server, name, ...rest }: HttpSequenceOptions) {
    const {
      settleMs = defaultSettleMs,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
    } = rest
    this.#server = server
    this.#name = name
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs })
  }

  /** One number. */
  async next(): Promise<bigint> {
    return (await this.nextBlock(1)).first
  }

  /**
   * `count` numbers in a row.
   * @throws StoreUnavailableError, OutcomeUnknownError: no number was given, and some may be gone
   */
  async nextBlock(count: number): Promise<Block> {
    if (!Number.isSafeInteger(count) || count < 1 || count > maxBlock)
      throw new InvalidArgumentError(`count is ${count}; a whole number from 1 to ${maxBlock} is expected.`)
    const text = JSON.stringify(this.#name)
    const key = randomUUID()
    return this.#engine.settle<Block>({
      send: async () => ({ done: await this.#ask(count, key) }),
      // Under the same key: a block that was allocated is answered once more, and no second one is.
      lost: () => ({ next: 'send' }),
      ridesOutUnavailable: true,
      unknown: (why, cause) =>
        new OutcomeUnknownError(`A block of ${text} may be gone: ${why}`, this.#name, null, { cause }),
      exhausted: (cause) =>
        new StoreUnavailableError(`No number of ${text} came within ${this.#engine.settleMs} ms.`, { cause }),
    })
  }

  async #ask(count: number, key: string): Promise<Block> {
    const answer = await this.#server.ask({
      method: 'POST',
      path: ['sequences', this.#name, 'next'],
      query: { count: String(count) },
      headers: { 'Idempotency-Key': key },
      timeoutMs,
    })
    const [first, last] = [bigintOf(answer.body.first), bigintOf(answer.body.last)]
    if (answer.status !== 200 || first === null || last === null) throw this.#server.refusal('POST', answer)
    return { first, last }
  }
}
