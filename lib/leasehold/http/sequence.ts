/**
 * Numbers that no other caller gets, from a server.
 *
 * Guarantees: no number twice, as in `sequence/`. After a lost answer the client sends the request again under the same
 * `Idempotency-Key`: if the server has kept its answer, the client gets the same block, and there is no gap.
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
import type { Telemetry } from '../telemetry/index.ts'
import { type Clock, systemClock, systemTimer, type Timer } from '../time/index.ts'
import { bigintOf } from './json.ts'
import type { LeaseholdServer } from './server.ts'

export interface HttpSequenceOptions {
  server: LeaseholdServer
  name: string
  /** How long to retry after lost answers, in milliseconds. */
  settleMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
  telemetry?: Telemetry | undefined
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
      telemetry,
    } = rest
    this.#server = server
    this.#name = name
    this.#engine = new OutcomeEngine({ clock, timer, random, settleMs, telemetry })
  }

  /** One number. */
  async next(): Promise<bigint> {
    return (await this.nextBlock(1)).first
  }

  /**
   * `count` consecutive numbers.
   * @throws StoreUnavailableError, OutcomeUnknownError: the caller has no number, and some may be lost
   */
  async nextBlock(count: number): Promise<Block> {
    if (!Number.isSafeInteger(count) || count < 1 || count > maxBlock)
      throw new InvalidArgumentError(`count is ${count}; a whole number from 1 to ${maxBlock} is expected.`)
    const text = JSON.stringify(this.#name)
    const key = randomUUID()
    return this.#engine.settle<Block>({
      name: 'sequence',
      send: async () => ({ done: await this.#ask(count, key) }),
      // Under the same key: the server repeats the answer for a block that it has allocated, and allocates no other.
      lost: () => ({ next: 'send' }),
      ridesOutUnavailable: true,
      // The last answer that did not count: at a wrong URL it names the status.
      unknown: (why, cause) =>
        new OutcomeUnknownError(
          `Some numbers of ${text} may be lost: ${cause instanceof Error ? cause.message : why}`,
          this.#name,
          null,
          { cause },
        ),
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
