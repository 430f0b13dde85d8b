/**
 * How many requests one sender may make. Counted in this process alone, in windows of one second that begin with the
 * first request: with n instances a sender has n times as much, and around the edge of two windows twice. It protects
 * the process and Cassandra from a program in a tight loop, not from a flood of the network.
 */
import { BoundedMap } from 'leasehold/lease'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { HttpProblem } from '../http-problem.ts'
import type { Log } from '../log/log.ts'

/** A tab asks twice a second; a program that renews 50 leases a second asks 50 times. About what one process can answer. */
export const senderPerSecond = 600
/** All senders at one address without a valid session or token: sign-in pages, probes, guesses. */
export const addressPerSecond = 200
/**
 * Of those, requests that cost milliseconds each: sign-ins with a password, the one-time link, the OpenAPI document.
 * That is enough for an office behind one address to sign in. A valid session or token has as many for itself.
 */
export const costlyPerSecond = 20
/** How many valid sessions and tokens are remembered; those that were shown first are forgotten first. */
const provenMax = 10_000

/** 429, with the time to wait. */
export function tooManyRequests(detail: string, afterMs: number): HttpProblem {
  const seconds = String(Math.max(1, Math.ceil(afterMs / 1000)))
  return new HttpProblem('too-many-requests', detail, {}, { 'Retry-After': seconds })
}

/** The id of the browser, if its cookie proves that a user signed in from it: people/sign-in/devices.ts. */
type FindDevice = () => Promise<string | null>
const noDevice: FindDevice = async () => null

interface Refused {
  points: number
  isFirst: boolean
  msBeforeNext: number
}

export class RequestLimits {
  readonly #senders = new RateLimiterMemory({ points: senderPerSecond, duration: 1 })
  readonly #addresses = new RateLimiterMemory({ points: addressPerSecond, duration: 1 })
  readonly #costly = new RateLimiterMemory({ points: costlyPerSecond, duration: 1 })
  readonly #costlyOfSenders = new RateLimiterMemory({ points: costlyPerSecond, duration: 1 })
  readonly #devices = new RateLimiterMemory({ points: costlyPerSecond, duration: 1 })
  readonly #proven = new BoundedMap<string, true>(provenMax)
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Counts one request. A credential that was found valid counts for itself, so that guesses from the same address
   * cannot shut it out; any other counts for its address, so that made-up ones are no way around the limit.
   * @param credential the session id or the token; null: none
   * @param device asked where the address has no requests left: a browser that is known counts for itself then
   * @throws HttpProblem too-many-requests
   */
  async take(credential: string | null, address: string | null, device = noDevice): Promise<void> {
    const isProven = this.isProven(credential)
    const refused = isProven
      ? await this.#refused(this.#senders, credential)
      : await this.#refusedOf(this.#addresses, address, device)
    if (refused !== null) this.#refuse(refused, { what: 'requests', isProven }, address)
  }

  /** Counts a request that costs more than most, after `take`. @throws as `take` */
  async takeCostly(credential: string | null, address: string | null, device = noDevice): Promise<void> {
    const isProven = this.isProven(credential)
    const refused = isProven
      ? await this.#refused(this.#costlyOfSenders, credential)
      : await this.#refusedOf(this.#costly, address, device)
    if (refused !== null) this.#refuse(refused, { what: 'requests of this kind', isProven }, address)
  }

  async #refusedOf(limiter: RateLimiterMemory, address: string | null, device: FindDevice) {
    const refused = await this.#refused(limiter, addressKey(address ?? ''))
    const known = refused === null ? null : await device()
    return known === null ? refused : this.#refused(this.#devices, known)
  }

  /** Counts one for `key`. @returns null: it may pass */
  async #refused(limiter: RateLimiterMemory, key: string): Promise<Refused | null> {
    try {
      await limiter.consume(key)
      return null
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown
      const { consumedPoints, msBeforeNext } = thrown as RateLimiterRes
      // Once a window: a flood of requests must not become one of lines.
      return { points: limiter.points, isFirst: consumedPoints === limiter.points + 1, msBeforeNext }
    }
  }

  #refuse(
    { points, isFirst, msBeforeNext }: Refused,
    { what, isProven }: { what: string; isProven: boolean },
    address: string | null,
  ): never {
    if (isFirst) this.#log.warn({ act: 'rate-limit', address, perSecond: points }, 'too many requests')
    throw tooManyRequests(
      isProven
        ? `More than ${points} ${what} in a second came from this sender.`
        : `More than ${points} ${what} in a second came from this address without being signed in.`,
      msBeforeNext,
    )
  }

  /** Whether the credential was valid at its last use; it may no longer be. */
  isProven(credential: string | null): credential is string {
    return credential !== null && this.#proven.has(credential)
  }

  /** Runs `identify`, and remembers whether the credential is valid now. */
  async proving<T>(credential: string | null, identify: () => Promise<T>): Promise<T> {
    try {
      const who = await identify()
      if (credential !== null && !this.#proven.has(credential)) this.#proven.set(credential, true)
      return who
    } catch (thrown) {
      if (credential !== null && thrown instanceof HttpProblem) this.#proven.delete(credential)
      throw thrown
    }
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
