/**
 * Limits how often a password is guessed, and how often a right password is used.
 *
 * Guarantees: a try is counted before the password is checked, so that a hundred tries at once are a hundred; after the
 * free failures of a key each further failure doubles the wait; a name that does not exist counts like one that does; the
 * memory is bounded.
 *
 * Does not guarantee: anything across instances or restarts. Each process counts for itself: with n processes a guesser
 * has n times as many tries. Nor that an operator in a new browser gets a turn while guesses at the account come from many networks
 * without a pause: if a network's first guess did not wait, a guesser with enough networks would never wait.
 *
 * Assumes of clocks: a monotonic one. Tuned by `limits`.
 *
 * Guesses at an operator's name must not keep the operator out in an incident. So there are five counts:
 * 1. of an account from an address: it stops an ordinary guesser;
 * 2. of an address, over all accounts: it stops one password tried on many names;
 * 3. of an account, over all addresses: it slows many addresses that guess at one name;
 * 4. of a device (devices.ts), alone: strangers cannot make a cookie for it, so that 1 to 3 do not hold it up;
 * 5. of a session (elevation, change of password), and of all sessions of an account: strangers do not count there, and
 *    one stolen session does not keep the account's other sessions from elevating.
 *
 * Right passwords have a limit too, as each one costs an Argon2 and a line in the audit: so many a minute of an account
 * from one address, device or session, and so many of an account in all. A few more may pass that are judged at once.
 *
 * The counts are kept by hand, not by rate-limiter-flexible: its store in memory grows without bound, one timer a key, goes
 * by the wall clock, and knows no wait that doubles.
 */
import { BoundedMap } from 'leasehold/lease'
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
  device: { free: 5, longestWaitSeconds: 300 },
  session: { free: 5, longestWaitSeconds: 300 },
  sessions: { free: 50, longestWaitSeconds: 30 },
} as const satisfies Record<string, Limit>

type Kind = keyof typeof limits

/** Right ones, in a window that begins with the first of them. */
const rightPerMinute = { pair: 20, account: 60 } as const
const minuteMs = 60_000

/** A count ends after this time without a failure. */
const forgottenAfterMs = 15 * 60_000
/** Keys that are counted at once; the oldest go first. About 150 bytes each. */
const countedMax = 20_000

/** The source of a try. */
export type Tried =
  /** A sign-in; `account` is null while the name is unknown (single sign-on). */
  | { by: 'stranger'; account: string | null; address: string | null }
  /** A sign-in from a browser in which this account signed in before. */
  | { by: 'device'; account: string; device: string }
  /** A signed-in user who confirms the password. */
  | { by: 'session'; account: string; session: string }

/** One try under way. Left alone it is a failure. */
interface Attempt {
  /** The password was right: the failures of this account from this address, device or session are forgotten. */
  succeeded(): void
  /** For the queue of passwords to check: password-work.ts. */
  asker: Asker
  /** Whether the password was right is unknown (Cassandra did not answer): the try does not count. */
  withdraw(): void
}

interface Count {
  failures: number
  atMs: number
}

export class Attempts {
  readonly #clock: Clock
  readonly #counts = new BoundedMap<string, Count>(countedMax)
  /** Successes, from when on. */
  readonly #rights = new BoundedMap<string, { times: number; fromMs: number }>(countedMax)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts one try. Call it before the password is checked.
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
    if (tried.by === 'stranger') return strangerKeys(tried)
    const pair = tried.by === 'device' ? `device ${tried.device}` : `session ${tried.session}`
    const keys: [Kind, string][] = [[tried.by, pair]]
    if (tried.by === 'session') keys.push(['sessions', `sessions ${tried.account}`])
    return { keys, pair, asker: { known: true, key: pair } }
  }

  #rightWaitMs(kind: keyof typeof rightPerMinute, key: string, nowMs: number): number {
    const right = this.#rights.get(key)
    if (right === undefined || right.times < rightPerMinute[kind]) return 0
    return Math.max(0, right.fromMs + minuteMs - nowMs)
  }

  #right(key: string, nowMs: number): void {
    const right = this.#rights.get(key)
    const counts = right !== undefined && nowMs - right.fromMs < minuteMs
    this.#rights.set(key, counts ? { ...right, times: right.times + 1 } : { times: 1, fromMs: nowMs })
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
    this.#counts.set(key, mine)
    return () => {
      const now = this.#counts.get(key)
      if (now === undefined) return
      // Counted down, and never put back: tries overlap, and an earlier count still has those that were taken back since.
      now.failures -= 1
      if (now.failures <= 0) this.#counts.delete(key)
      else if (now === mine && before !== undefined) now.atMs = before.atMs
    }
  }
}

function strangerKeys({ account, address }: Extract<Tried, { by: 'stranger' }>) {
  const network = addressKey(address ?? '')
  const pair = `pair ${network} ${account ?? ''}`
  const keys: [Kind, string][] = [['address', `address ${network}`]]
  if (account !== null) keys.push(['pair', pair], ['account', `account ${account}`])
  return { keys, pair, asker: { known: false, key: network } }
}

/** How long the next try waits after so many failures. */
const waitSeconds = ({ free, longestWaitSeconds }: Limit, failures: number): number =>
  failures < free ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - free))
