/**
 * Pages of one address. Next renders a page in some 20 ms of a processor, and each asks Cassandra who its reader is: a
 * person's requests are answered at once; an address that asks in a loop is refused before Next sees the request.
 *
 * Counted in this process alone, in windows of `windowSeconds`. Files of the build are counted separately: each costs
 * about a millisecond, and a browser asks for some 40 at its first page, and never again until the next version.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '../log/log.ts'
import { addressKey } from './request-limits.ts'

const windowSeconds = 5
/** Of one address in a window. A person opens one page a second at most; an office behind one address, some more. */
export const pagesPerWindow = 100
/** Of one address in a window: 50 browsers that open the console for the first time. */
export const filesPerWindow = 2_000

const kinds = {
  pages: { act: 'page-limit', perWindow: pagesPerWindow },
  files: { act: 'file-limit', perWindow: filesPerWindow },
} as const

export class PageLimits {
  readonly #limiters = {
    pages: new RateLimiterMemory({ points: pagesPerWindow, duration: windowSeconds }),
    files: new RateLimiterMemory({ points: filesPerWindow, duration: windowSeconds }),
  }
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Counts one page, or one file of the build. @returns null: it may be sent. Else the seconds after which the address may
   * ask again, for a 429 with `Retry-After`
   * @param address null: the host does not tell; all such requests are counted as one address
   */
  async take(path: string, address: string | null): Promise<number | null> {
    const kind = path.startsWith('/_next/static/') ? 'files' : 'pages'
    const { act, perWindow } = kinds[kind]
    try {
      await this.#limiters[kind].consume(addressKey(address ?? ''))
      return null
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown
      const { consumedPoints, msBeforeNext } = thrown as RateLimiterRes
      // Once a window: a flood of requests must not become one of lines.
      if (consumedPoints === perWindow + 1)
        this.#log.warn({ act, address, perSecond: perWindow / windowSeconds }, `too many ${kind}`)
      return Math.max(1, Math.ceil(msBeforeNext / 1000))
    }
  }
}
