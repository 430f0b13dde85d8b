/**
 * Lamport's bakery: a lock on plain registers, read and written at QUORUM, without one conditional write.
 *
 * Source: L. Lamport, "A New Solution of Dijkstra's Concurrent Programming Problem" (1974), as adapted in "Locking a
 * Row" on Cassandra's old wiki. Steps 1 to 7 below are numbered as there; 8 to 10 are its loop and what follows it.
 * Here rows expire, so that a crashed customer does not close the bakery, and the customers of a lock are found by
 * reading its partition, so that they need not be numbered beforehand.
 *
 *  1. choosing[i] := true
 *  2. read all numbers
 *  3. mine := 1 + the greatest of them
 *  4. number[i] := mine
 *  5. choosing[i] := false
 *  6. read who is choosing
 *  7. read all numbers
 *  8. while one who was choosing at the first 6 still is: again from 6
 *  9. while somebody has (number[j], j) < (mine, i): again from 6
 * 10. the critical section; then number[i] := 0
 *
 * Guarantees: no two customers are inside at the same time, each counted until its deadline; everybody who stays is
 * served, in the order of the numbers, which is that of coming for all who do not choose at the same time.
 * Does not guarantee: anything of work that goes on past its signal: the next one comes in when the number expires.
 * There is no token to fence it with. Numbers begin at 1 again whenever nobody waits, and writetimes are the writer's
 * own clock. Where that matters, take a lock on a lease (`lock/`), whose token Cassandra's Paxos orders.
 *
 * Assumes, of Cassandra: a quorum read sees every write that a quorum acknowledged before the read began (one
 * cluster, no restored replicas; with LOCAL_SERIAL, LOCAL_QUORUM and so one data centre). Of clocks: those of
 * `time/lease-time.ts`, because of the expiry; without crashes none.
 *
 * Answers that are lost. Every write is repeated until it is acknowledged, or given up with the customer's id, which
 * is never used again. What was given up and lands later is
 * - older, by its timestamp, than what its customer wrote after it: it changes nothing, also after the clearing;
 * - or the register of somebody who has left unheard: others wait for it, for one TTL at most. Whether they see it or
 *   not makes no difference to exclusion, because nobody goes in by it.
 * A clearing that is never acknowledged costs the others the rest of the TTL. So nothing here is ever *unknown*.
 *
 * Stalls. A customer that is choosing must hear that its number was written before its choosing can have expired: else
 * somebody who no longer waits for it is inside, with a greater number. One that has a number must hear of a rewriting
 * in time (`place.ts`). By its own clock it gives up, and comes back at the end of the line; when it is inside, its
 * signal aborts and its result is a `LeaseLostError`.
 *
 * Tuned by: the TTL: longer, and a crash holds the others up for longer; shorter, and a shorter stall loses the turn.
 *
 * A lock on a lease is usually better: two conditional writes and a read a turn, instead of two writes, three reads, two
 * deletions, and reads every tenth of a second by everyone who waits; a token; one row, and not two partitions that
 * fill with tombstones. This one is for clusters on which conditional writes may not or cannot be used.
 */
import { InvalidArgumentError } from '../lease/index.ts'
import {
  type Clock,
  deadlineOf,
  defaultMaxClockSkewMs,
  incoherentTiming,
  leastKeptTtlSeconds,
  systemClock,
  systemTimer,
  type Timer,
} from '../time/index.ts'
import { BoundedRetry } from './bounded-retry.ts'
import { type BakeryContext, Counter } from './counter.ts'
import { type BakeryTurn, Place } from './place.ts'
import { type BakeryRegisters, goesBefore } from './registers.ts'

export interface BakeryOptions {
  registers: BakeryRegisters
  /** How long a crashed customer is waited for, in whole seconds: 6 or more. 30 unless given. */
  ttlSeconds?: number | undefined
  maxClockSkewMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
}

export interface BakeryLockOptions {
  /** How long to stand in line, in milliseconds; Infinity: for ever. Left out: only if nobody is there. */
  waitMs?: number | undefined
  /** Ends the waiting; a turn that has begun is not touched by it. */
  signal?: AbortSignal | undefined
}

/** What runs inside. `signal` aborts when the turn is lost; `turn.held` looks at the clock. */
export type Served<T> = (signal: AbortSignal, turn: BakeryTurn) => Promise<T>

/**
 * @example
 * const bakery = new Bakery({ registers: new CassandraBakeryRegisters(session), ttlSeconds: 30 })
 * await bakery.withLock('billing/invoice-run', { waitMs: 60_000 }, async (signal) => run({ signal }))
 */
export class Bakery {
  readonly #context: BakeryContext

  /** @throws InvalidArgumentError on timing that leaves no time to hold a number */
  constructor(options: BakeryOptions) {
    // Each by itself: one that is given as undefined is left out.
    const {
      ttlSeconds = 30,
      maxClockSkewMs = defaultMaxClockSkewMs,
      clock = systemClock,
      timer = systemTimer,
      random = Math.random,
    } = options
    this.#context = { ...options, ttlSeconds, maxClockSkewMs, clock, timer, random }
    const wrong = incoherentTiming(ttlSeconds, maxClockSkewMs)
    if (wrong !== undefined) throw new InvalidArgumentError(wrong)
    if (ttlSeconds < leastKeptTtlSeconds)
      throw new InvalidArgumentError(
        `A TTL of ${ttlSeconds} s is too short to be kept alive; ${leastKeptTtlSeconds} s or more are needed.`,
      )
  }

  /**
   * Runs `work` while nobody else is inside, and gives the number back afterwards: until that is acknowledged, or the
   * number has gone by itself.
   * @throws what `work` throws, before anything else; LeaseLostError when the turn was lost although `work` did not say
   * so; LeaseHeldError when the waiting is over; StoreUnavailableError when it is over and no quorum answered; the
   * signal's reason; InvalidArgumentError, StoreRefusedError
   */
  async withLock<T>(name: string, work: Served<T>): Promise<T>
  async withLock<T>(name: string, options: BakeryLockOptions, work: Served<T>): Promise<T>
  async withLock<T>(name: string, ...rest: [Served<T>] | [BakeryLockOptions, Served<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
    const place = await this.#enter(name, options)
    try {
      // 10. The critical section …
      const result = await work(place.signal, place)
      // What was done after the loss may have collided with the next one: this is no success.
      place.throwIfLost()
      return result
    } finally {
      // … and number[i] := 0.
      await place.leave()
    }
  }

  /** Stands in line, anew after every stall that cost the place. */
  async #enter(name: string, { waitMs = 0, signal }: BakeryLockOptions): Promise<Place> {
    if (name === '') throw new InvalidArgumentError('The name of the lock is empty.')
    signal?.throwIfAborted()
    const { clock, timer, random } = this.#context
    const retry = new BoundedRetry({ name, waitMs, signal, clock, timer, random })
    for (;;) {
      const counter = new Counter(this.#context, name)
      let place: Place | undefined
      try {
        place = await this.#takeNumber(counter, retry)
        if (place !== undefined && (await this.#awaitTurn(counter, place, retry))) return place
      } catch (thrown) {
        place?.lose('released')
        await counter.leave()
        throw thrown
      }
      await counter.leave()
      await retry.pause()
    }
  }

  /** Steps 1 to 5. undefined: it took so long that somebody may have stopped waiting for us. */
  async #takeNumber(counter: Counter, retry: BoundedRetry): Promise<Place | undefined> {
    const { registers, ttlSeconds, maxClockSkewMs, name } = counter
    // 1. choosing[i] := true. Whoever reads who is choosing from now on waits for us.
    const chosen = await retry.untilAcknowledged(undefined, () =>
      registers.setChoosing(counter.register(), ttlSeconds),
    )
    if (chosen === undefined) return undefined
    const deadline = deadlineOf(chosen.sent, ttlSeconds, maxClockSkewMs)
    // 2. All numbers; ghosts count too, a greater number than needed does no harm.
    const read = await retry.untilAcknowledged(deadline, () => registers.numbers(name))
    if (read === undefined) return undefined
    // 3. One more than the greatest. Two who choose at once may get the same: step 9 tells them apart by their ids.
    let mine = 1n
    for (const { number } of read.answer) if (number >= mine) mine = number + 1n
    // 4. number[i] := mine, acknowledged before our choosing can have expired for anybody.
    const numbered = await retry.untilAcknowledged(deadline, () =>
      registers.setNumber(counter.register(), mine, ttlSeconds),
    )
    if (numbered === undefined) return undefined
    const place = new Place(counter, mine, numbered.sent)
    try {
      // 5. choosing[i] := false. Not before 4 is acknowledged; that it stays would only keep the others waiting.
      await retry.untilAcknowledged(deadline, () => registers.clearChoosing(counter.register()))
    } catch (thrown) {
      place.lose('released')
      throw thrown
    }
    return place
  }

  /** Steps 6 to 9. false: the place was lost on the way. */
  async #awaitTurn(counter: Counter, place: Place, retry: BoundedRetry): Promise<boolean> {
    const { registers, name, customer } = counter
    // Who was choosing when our number was known. Whoever begins later sees it, and takes a greater one: waiting for
    // those too could last for ever.
    let choosing: string[] | undefined
    while (place.held) {
      // 6. Read before the numbers: who is not seen choosing here has its number, if any, in what 7 reads.
      if (choosing?.length !== 0) {
        const read = await retry.untilAcknowledged(undefined, () => registers.choosing(name))
        const now = read?.answer ?? []
        choosing = (choosing ?? now).filter((other) => other !== customer && now.includes(other))
      }
      // 7. The numbers as they are now.
      const read = await retry.untilAcknowledged(undefined, () => registers.numbers(name))
      const numbers = read?.answer ?? []
      if (!place.held) return false
      // Ours must be among them. If not, the table was emptied or the clocks are not what we assume: out.
      if (!numbers.some((other) => other.customer === customer)) {
        place.lose('not-holder')
        return false
      }
      // 8. and 9. Nobody to wait for: nobody can come before us any more, as long as our number is seen.
      const ahead = numbers.filter((other) => goesBefore(other, place))
      if (choosing.length === 0 && ahead.length === 0) return true
      const first = ahead.reduce((one, other) => (goesBefore(other, one) ? other : one), ahead[0] ?? place)
      await retry.pause(first === place ? (choosing[0] ?? null) : first.customer)
    }
    return false
  }
}
