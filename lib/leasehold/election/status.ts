import { type LeaseProtocol, remainingMs } from '../lease/index.ts'
import { isLed, type LedView } from './observation.ts'

export interface LeaderStatus {
  readonly group: string
  /** The leader's identity. */
  readonly leader: string
  /** When Cassandra stops showing it unless it is renewed, in milliseconds since the epoch. null: never. */
  readonly expiresAtMs: number | null
  /** What is left until then, in milliseconds, when this was read. null: never. */
  readonly remainingMs: number | null
}

/**
 * Who leads which group of a table; each answer is read at SERIAL.
 *
 * @example
 * const status = new LeadershipStatus(new LeaseProtocol({ store }))
 * const leader = await status.leaderOf('workers')
 */
export class LeadershipStatus {
  readonly #protocol: LeaseProtocol

  constructor(protocol: LeaseProtocol) {
    this.#protocol = protocol
  }

  /** The leader's identity; null: nobody leads. @throws StoreUnavailableError */
  async leaderOf(group: string): Promise<string | null> {
    return (await this.statusOf(group))?.leader ?? null
  }

  /** The leader, and for how much longer; null: nobody leads. @throws StoreUnavailableError */
  async statusOf(group: string): Promise<LeaderStatus | null> {
    const view = await this.#protocol.read(group)
    return isLed(view) ? this.#status(view) : null
  }

  /**
   * Every group that is led, page by page, in no order that means anything. Found by a quorum scan, each one then
   * read at SERIAL: a group that is claimed while the scan runs may be left out. @throws StoreUnavailableError
   */
  async *leaders(): AsyncGenerator<LeaderStatus, void, void> {
    let afterToken: string | undefined
    do {
      const page = await this.#protocol.page({ limit: 100, afterToken })
      yield* page.leases.filter(isLed).map((view) => this.#status(view))
      afterToken = page.nextToken ?? undefined
    } while (afterToken !== undefined)
  }

  #status(view: LedView): LeaderStatus {
    const { name: group, owner: leader, expiresAtMs } = view
    return { group, leader, expiresAtMs, remainingMs: remainingMs(view, this.#protocol.context.clock.now()) }
  }
}
