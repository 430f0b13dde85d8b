/**
 * Pages of one address. Next renders a page in some 20 ms of a processor, and each asks Cassandra who its reader is: an
 * address that asks for no more than it can read is answered at once, one that asks in a loop is refused before Next
 * sees the request.
 *
 * Counted in this process alone, in windows of `windowSeconds`. Files of the build are no pages: they cost little, and
 * browsers ask for many at once.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '../log/log.ts'
import { addressKey } from './request-limits.ts'

const windowSeconds = 5
/** Of one address in a window. A person opens one page a second at most; an office behind one address, some more. */
export const pagesPerWindow = 100

export class PageLimits {
  readonly #pages = new RateLimiterMemory({ points: pagesPerWindow, duration: windowSeconds })
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Counts one page. @returns null: it may be rendered. Else the seconds after which the address may ask again, for a
   * 429 with `Retry-After`
   * @param address null: the host does not tell; all such requests are counted as one address
   */
  async take(path: string, address: string | null): Promise<number | null> {
    if (path.startsWith('/_next/static/')) return null
    try {
      await this.#pages.consume(addressKey(address ?? ''))
      return null
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown
      const { consumedPoints, msBeforeNext } = thrown as RateLimiterRes
      // Once a window: a flood of requests must not become one of lines.
      if (consumedPoints === pagesPerWindow + 1)
        this.#log.warn(
          { act: 'page-limit', address, perSecond: pagesPerWindow / windowSeconds },
          'too many pages',
        )
      return Math.max(1, Math.ceil(msBeforeNext / 1000))
    }
  }
}
