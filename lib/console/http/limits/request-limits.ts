/**
 * How many requests one sender may make. Counted in this process alone, in windows of one second that begin with the
 * first request: with n instances a sender has n times as much, and around the edge of two windows twice. It protects
 * the process and Cassandra from a program in a tight loop, not from a flood of the network.
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'

/** A tab asks twice a second; a program that renews 50 leases a second asks 50 times. About what one process can answer. */
export const senderPerSecond = 600
/** Everybody at one address who has not shown a valid session or token: sign-in pages, probes, guesses. */
export const addressPerSecond = 200
/** How many valid sessions and tokens are remembered; the one that was shown first is forgotten first. */
const provenMax = 10_000

/** 429, and when to come again. */
export function tooManyRequests(detail: string, afterMs: number): HttpProblem {
  const seconds = String(Math.max(1, Math.ceil(afterMs / 1000)))
  return new HttpProblem('too-many-requests', detail, {}, { 'Retry-After': seconds })
}

export class RequestLimits {
  readonly #senders = new RateLimiterMemory({ points: senderPerSecond, duration: 1 })
  readonly #addresses = new RateLimiterMemory({ points: addressPerSecond, duration: 1 })
  readonly #proven = new Set<string>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Counts one request. A credential that was found valid counts for itself, so that guesses from the same address
   * cannot shut it out; any other counts for its address, so that made-up ones are no way around the limit.
   * @param credential the session id or the token; null: none
   * @throws HttpProblem too-many-requests
   */
  async take(credential: string | null, address: string | null): Promise<void> {
    const known = this.isProven(credential)
    const limiter = known ? this.#senders : this.#addresses
    try {
      await limiter.consume(known ? credential : addressKey(address ?? ''))
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown
      const { consumedPoints, msBeforeNext } = thrown as RateLimiterRes
      // Once a window: a flood of requests must not become one of lines.
      if (consumedPoints === limiter.points + 1)
        this.#log.warn({ act: 'rate-limit', address, perSecond: limiter.points }, 'too many requests')
      throw tooManyRequests(
        `More than ${limiter.points} requests in a second came ${known ? 'from this sender' : 'from this address without being signed in'}.`,
        msBeforeNext,
      )
    }
  }

  /** It was found valid when it was shown last. Whether it still is, this does not say. */
  isProven(credential: string | null): credential is string {
    return credential !== null && this.#proven.has(credential)
  }

  /** Learns from `identify` whether the credential is valid now. */
  async proving<T>(credential: string | null, identify: () => Promise<T>): Promise<T> {
    try {
      const who = await identify()
      if (credential !== null) this.#remember(credential)
      return who
    } catch (thrown) {
      if (credential !== null && thrown instanceof HttpProblem) this.#proven.delete(credential)
      throw thrown
    }
  }

  #remember(credential: string): void {
    if (this.#proven.has(credential)) return
    if (this.#proven.size >= provenMax) this.#proven.delete(this.#proven.values().next().value as string)
    this.#proven.add(credential)
  }
}

/** An IPv6 customer has a whole /64, and could send each request from another address of it. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%', 1).join('').split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail?.split(':').filter((group) => group !== '') ?? []
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
