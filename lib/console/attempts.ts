/**
 * How often somebody may guess a password.
 *
 * Guarantees: a try is counted before it is judged, so that a hundred at the same time are a hundred; after the free
 * failures of a key each further one doubles the wait; a name that does not exist counts like one that does; a bounded
 * memory.
 *
 * Does not guarantee: anything across instances or restarts. Each process counts for itself: with n of them a guesser
 * has n times as many tries.
 *
 * Assumes of clocks: a monotonic one. Tuned by `limits`.
 *
 * Nobody is to lock an operator out in an incident by guessing at their name. So there are four counts:
 * 1. of an account from an address: what stops an ordinary guesser;
 * 2. of an address, over all accounts: one password tried on many names;
 * 3. of an account, over all addresses: many addresses at one name. Its wait stays short, and
 * 4. of an account that is signed in already (elevation, change of password): only its own session counts there.
 * Whoever signed in to an account from an address before (`knownMax` of them are remembered) is held by 1 alone, so that
 * 2 and 3 cannot be turned against them.
 */
import type { Clock } from 'leasehold/time'
import { HttpProblem } from './http-problem.ts'
import { addressKey } from './request-limits.ts'

interface Limit {
  /** Failures without a wait; after this many the next try waits for a second, then two, four, … */
  free: number
  longestWaitSeconds: number
}

const limits = {
  pair: { free: 5, longestWaitSeconds: 300 },
  address: { free: 50, longestWaitSeconds: 300 },
  account: { free: 50, longestWaitSeconds: 30 },
  session: { free: 5, longestWaitSeconds: 300 },
} as const satisfies Record<string, Limit>

type Kind = keyof typeof limits

/** A key without a failure for so long begins anew. */
const forgottenAfterMs = 15 * 60_000
/** Keys that are counted at once, and pairs that are known; the oldest goes first. About 150 bytes each. */
const countedMax = 20_000
const knownMax = 10_000

/** Who tries. */
export type Tried =
  /** To sign in; `account` is null where nobody has said yet who they are (single sign-on). */
  | { by: 'stranger'; account: string | null; address: string | null }
  /** Somebody who is signed in, to prove that it is still them. */
  | { by: 'session'; account: string }

/** One try under way. Left alone it is a failure. */
export interface Attempt {
  /** The password was right: all that was counted for this account from this address is forgotten. */
  succeeded(): void
  /** Nobody found out whether it was right (Cassandra did not answer): it does not count. */
  withdraw(): void
}

interface Count {
  failures: number
  atMs: number
}

export class Attempts {
  readonly #clock: Clock
  readonly #counts = new Map<string, Count>()
  readonly #known = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts one try; to be called before the password is looked at.
   * @throws HttpProblem too-many-attempts, with the seconds to wait; a try that is refused so does not count
   */
  begin(tried: Tried): Attempt {
    const nowMs = this.#clock.now().monotonicMs
    const { keys, pair } = this.#keysOf(tried)
    const waitMs = Math.max(...keys.map(([kind, key]) => this.#waitMs(kind, key, nowMs)))
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000))
    const undo = keys.map(([, key]) => this.#fail(key, nowMs))
    const withdraw = () => {
      for (const each of undo.splice(0)) each()
    }
    return {
      withdraw,
      succeeded: () => {
        withdraw()
        // Not the wider counts: a guesser with an account of their own must not clear them.
        this.#counts.delete(pair)
        if (tried.by === 'stranger' && tried.account !== null) remember(this.#known, pair, knownMax)
      },
    }
  }

  /**
   * Counts one try, and judges it by what `work` finds: null is a failure; what it throws says nothing.
   * @throws HttpProblem too-many-attempts, without asking; else what `work` throws
   */
  async judge<T>(tried: Tried, work: () => Promise<T | null>): Promise<T | null> {
    const attempt = this.begin(tried)
    try {
      const found = await work()
      if (found !== null) attempt.succeeded()
      return found
    } catch (thrown) {
      attempt.withdraw()
      throw thrown
    }
  }

  #keysOf(tried: Tried): { keys: [Kind, string][]; pair: string } {
    if (tried.by === 'session') {
      const pair = `session ${tried.account}`
      return { keys: [['session', pair]], pair }
    }
    const { account } = tried
    const address = addressKey(tried.address ?? '')
    const pair = `pair ${address} ${account ?? ''}`
    const wide: [Kind, string][] = [['address', `address ${address}`]]
    if (account === null) return { keys: wide, pair }
    if (!this.#known.has(pair))
      return { keys: [['pair', pair], ...wide, ['account', `account ${account}`]], pair }
    return { keys: [['pair', pair]], pair }
  }

  #waitMs(kind: Kind, key: string, nowMs: number): number {
    const count = this.#counts.get(key)
    if (count === undefined || nowMs - count.atMs >= forgottenAfterMs) return 0
    return Math.max(0, count.atMs + waitSeconds(limits[kind], count.failures) * 1000 - nowMs)
  }

  /** @returns how to take it back */
  #fail(key: string, nowMs: number): () => void {
    const before = this.#counts.get(key)
    const fresh = before === undefined || nowMs - before.atMs >= forgottenAfterMs
    const mine: Count = { failures: fresh ? 1 : before.failures + 1, atMs: nowMs }
    this.#set(key, mine)
    return () => {
      const now = this.#counts.get(key)
      if (now === undefined) return
      if (now !== mine) now.failures -= 1
      else if (fresh) this.#counts.delete(key)
      else this.#set(key, before)
    }
  }

  #set(key: string, count: Count): void {
    this.#counts.delete(key)
    if (this.#counts.size >= countedMax) this.#counts.delete(this.#counts.keys().next().value as string)
    this.#counts.set(key, count)
  }
}

/** What the next try waits for after so many failures. */
export const waitSeconds = ({ free, longestWaitSeconds }: Limit, failures: number): number =>
  failures < free ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - free))

function remember(known: Set<string>, pair: string, max: number): void {
  known.delete(pair)
  if (known.size >= max) known.delete(known.values().next().value as string)
  known.add(pair)
}

const tooManyAttempts = (seconds: number) =>
  new HttpProblem(
    'too-many-attempts',
    `Too many attempts. Try again in ${seconds} s.`,
    {},
    { 'Retry-After': String(seconds) },
  )
