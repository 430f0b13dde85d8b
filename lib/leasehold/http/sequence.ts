/**
 * Numbers that nobody else gets, from a server.
 *
 * Guarantees: no number twice, as in `sequence/`. A request whose answer is lost is sent again under the same
 * `Idempotency-Key`: as long as the server could keep its answer, that gives the same block, and leaves no gap.
 * Does not guarantee: that there are no gaps.
 * Assumes: nothing of clocks.
 */
import { randomUUID } from 'node:crypto'
import { InvalidArgumentError, isLeaseholdError, OutcomeUnknownError } from '../lease/index.ts'
import { type Block, maxBlock } from '../sequence/index.ts'
import { type Clock, elapsedMs, systemClock, systemTimer, type Timer } from '../time/index.ts'
import { bigintOf } from './json.ts'
import type { LeaseholdServer } from './server.ts'

export interface HttpSequenceOptions {
  server: LeaseholdServer
  name: string
  /** For how long lost answers are pursued, in milliseconds. */
  settleMs?: number
  clock?: Clock
  timer?: Timer
  random?: () => number
}

const timeoutMs = 30_000

/**
 * @example
 * const invoices = new HttpSequence({ server, name: 'invoices' })
 * const { first, last } = await invoices.nextBlock(100)
 */
export class HttpSequence {
  readonly #options: Required<HttpSequenceOptions>

  constructor(options: HttpSequenceOptions) {
    // Each by itself: one that is given as undefined is left out.
    const { settleMs = 20_000, clock = systemClock, timer = systemTimer, random = Math.random } = options
    this.#options = { ...options, settleMs, clock, timer, random }
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
    const { name, settleMs, clock, timer, random } = this.#options
    const key = randomUUID()
    const started = clock.now()
    let lost: unknown
    for (let tries = 0; ; tries++) {
      try {
        return await this.#ask(count, key)
      } catch (thrown) {
        const unknown = isLeaseholdError(thrown, 'statement-unknown')
        if (!unknown && !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
        if (unknown) lost = thrown
        const leftMs = settleMs - elapsedMs(started, clock.now())
        if (leftMs <= 0) {
          if (lost === undefined) throw thrown
          throw new OutcomeUnknownError(
            `No answer came for ${JSON.stringify(name)}: a block may be gone.`,
            name,
            null,
            { cause: lost },
          )
        }
        await timer.sleep(Math.min(leftMs, 50 * 2 ** Math.min(tries, 5) * (0.5 + random())))
      }
    }
  }

  async #ask(count: number, key: string): Promise<Block> {
    const { server, name } = this.#options
    const answer = await server.ask({
      method: 'POST',
      path: ['sequences', name, 'next'],
      query: { count: String(count) },
      headers: { 'Idempotency-Key': key },
      timeoutMs,
    })
    const [first, last] = [bigintOf(answer.body.first), bigintOf(answer.body.last)]
    if (answer.status !== 200 || first === null || last === null) throw server.refusal('POST', answer)
    return { first, last }
  }
}
