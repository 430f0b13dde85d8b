/**
 * How often somebody may guess a password, and how often they may be right.
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
 * 4. of a session (elevation, change of password): nobody outside counts there, and one session that was stolen does not
 *    keep its owner's others from elevating. Beyond it, of an account over all its sessions.
 * Whoever signed in to an account from an address before (`knownMax` of them are remembered) is held by 1 alone, so that
 * 2 and 3 cannot be turned against them.
 *
 * Right passwords have a limit too, as each one costs an Argon2 and a line in the audit: so many a minute of an account
 * from one address, or in one session, and so many of an account in all. A few more may pass that are judged at once.
 */
import type { Clock } from 'leasehold/time'
import { addressKey } from '../../http/limits/request-limits.ts'
import type { Asker } from './password-work.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

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
  sessions: { free: 50, longestWaitSeconds: 30 },
} as const satisfies Record<string, Limit>

type Kind = keyof typeof limits

/** Right ones, in a window that begins with the first of them. */
const rightPerMinute = { pair: 20, account: 60 } as const
const minuteMs = 60_000

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
  | { by: 'session'; account: string; session: string }

/** One try under way. Left alone it is a failure. */
export interface Attempt {
  /** The password was right: all that was counted for this account from this address is forgotten. */
  succeeded(): void
  /** For the queue before the passwords: see password-work.ts. */
  asker: Asker
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
  /** Successes, from when on. */
  readonly #rights = new Map<string, { times: number; fromMs: number }>()
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
    const { keys, pair, asker } = this.#keysOf(tried)
    const rights: ['pair' | 'account', string][] = [['pair', pair]]
    if (tried.account !== null) rights.push(['account', `right ${tried.account}`])
    const waitMs = Math.max(
      ...keys.map(([kind, key]) => this.#waitMs(kind, key, nowMs)),
      ...rights.map(([kind, key]) => this.#rightWaitMs(kind, key, nowMs)),
    )
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000))
    const undo = keys.map(([, key]) => this.#fail(key, nowMs))
    const withdraw = () => {
      for (const each of undo.splice(0)) each()
    }
    return {
      withdraw,
      asker,
      succeeded: () => {
        withdraw()
        if (tried.account !== null) for (const [, key] of rights) this.#right(key, nowMs)
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
  async judge<T>(tried: Tried, work: (asker: Asker) => Promise<T | null>): Promise<T | null> {
    const attempt = this.begin(tried)
    try {
      const found = await work(attempt.asker)
      if (found !== null) attempt.succeeded()
      return found
    } catch (thrown) {
      attempt.withdraw()
      throw thrown
    }
  }

  #keysOf(tried: Tried): { keys: [Kind, string][]; pair: string; asker: Asker } {
    const { account } = tried
    if (tried.by === 'session') {
      const pair = `session ${tried.session}`
      const keys: [Kind, string][] = [
        ['session', pair],
        ['sessions', `sessions ${account}`],
      ]
      return { keys, pair, asker: { known: true, key: pair } }
    }
    const address = addressKey(tried.address ?? '')
    const pair = `pair ${address} ${account ?? ''}`
    const asker = { known: false, key: address }
    const wide: [Kind, string][] = [['address', `address ${address}`]]
    if (account === null) return { keys: wide, pair, asker }
    if (!this.#known.has(pair))
      return { keys: [['pair', pair], ...wide, ['account', `account ${account}`]], pair, asker }
    return { keys: [['pair', pair]], pair, asker: { known: true, key: pair } }
  }

  #rightWaitMs(kind: keyof typeof rightPerMinute, key: string, nowMs: number): number {
    const right = this.#rights.get(key)
    if (right === undefined || right.times < rightPerMinute[kind]) return 0
    return Math.max(0, right.fromMs + minuteMs - nowMs)
  }

  #right(key: string, nowMs: number): void {
    const right = this.#rights.get(key)
    const counts = right !== undefined && nowMs - right.fromMs < minuteMs
    put(this.#rights, key, counts ? { ...right, times: right.times + 1 } : { times: 1, fromMs: nowMs })
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
    put(this.#counts, key, mine)
    return () => {
      const now = this.#counts.get(key)
      if (now === undefined) return
      if (now !== mine) now.failures -= 1
      else if (fresh) this.#counts.delete(key)
      else put(this.#counts, key, before)
    }
  }
}

/** What the next try waits for after so many failures. */
export const waitSeconds = ({ free, longestWaitSeconds }: Limit, failures: number): number =>
  failures < free ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - free))

function put<T>(counts: Map<string, T>, key: string, count: T): void {
  counts.delete(key)
  if (counts.size >= countedMax) counts.delete(counts.keys().next().value as string)
  counts.set(key, count)
}

function remember(known: Set<string>, pair: string, max: number): void {
  known.delete(pair)
  if (known.size >= max) known.delete(known.values().next().value as string)
  known.add(pair)
}
