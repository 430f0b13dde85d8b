import { type LeaseProtocol, remainingMs } from '../lease/index.ts'
import { isLed, type LedView } from './observation.ts'

export interface LeaderStatus {
  readonly group: string
  /** The leader's identity. */
  readonly leader: string
  /** When Cassandra stops showing the leader unless it renews, in milliseconds since the epoch. null: never. */
  readonly expiresAtMs: number | null
  /** The milliseconds until then, at the time of the read. null: never. */
  readonly remainingMs: number | null
}

/**
 * The leaders of the groups of a table, each read at SERIAL.
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

  /** The leader's identity; null: the group has no leader. @throws StoreUnavailableError */
  async leaderOf(group: string): Promise<string | null> {
    return (await this.statusOf(group))?.leader ?? null
  }

  /** The leader, and the time that it has left; null: the group has no leader. @throws StoreUnavailableError */
  async statusOf(group: string): Promise<LeaderStatus | null> {
    const view = await this.#protocol.read(group)
    return isLed(view) ? this.#status(view) : null
  }

  /**
   * Every group with a leader, page by page, in the order of Cassandra's tokens. A quorum scan finds the groups, and a
   * SERIAL read confirms each. A group claimed while the scan runs may be left out. @throws StoreUnavailableError
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
