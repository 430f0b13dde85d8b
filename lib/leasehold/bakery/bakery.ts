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
 *  8. while a customer seen choosing at the first 6 still is: again from 6
 *  9. while a customer j has (number[j], j) < (mine, i): again from 6
 * 10. the critical section; then number[i] := 0
 *
 * Guarantees: no two customers are inside at the same time, each counted until its deadline. The bakery serves every
 * customer that stays, in the order of the numbers. That is the order of arrival, except for customers that choose at
 * the same time.
 * Does not guarantee: exclusion for work that goes on past its signal: the next customer enters when the number
 * expires. There is no token to fence such work with: numbers begin at 1 again whenever the bakery is empty, and
 * writetimes come from the writer's own clock. Where that matters, take a lock on a lease (`lock/`): Cassandra's Paxos
 * orders its tokens.
 *
 * Assumes, of Cassandra: a quorum read sees every write that a quorum acknowledged before the read began (one
 * cluster, no restored replicas; with LOCAL_SERIAL, LOCAL_QUORUM and so one data centre). Of clocks: those of
 * `time/lease-time.ts`, because rows expire. Without crashes it needs nothing of clocks.
 *
 * Lost answers. A customer repeats every write until a quorum acknowledges it, or gives up and retires its id, which is
 * never used again. A write that was given up and lands later does one of two things.
 * - Its timestamp is older than that of the customer's next write: it changes nothing, also after the clearing.
 * - The customer has left: the other customers wait for the register until it expires, one TTL at most. Exclusion does
 *   not depend on whether they see it, because no customer enters with that id any more.
 * A clearing that no quorum acknowledges costs the other customers the rest of the TTL. So no outcome here is
 * *unknown*.
 *
 * Stalls. While a customer chooses, the acknowledgement of its number must arrive before its choosing can have expired:
 * else a customer with a greater number may have stopped waiting for it, and be inside. Later, the acknowledgement of
 * each rewriting must arrive in time (`place.ts`). A customer that is late by its own clock gives up its number, and
 * goes back to the end of the line. If it is inside, its signal aborts and its result is a `LeaseLostError`.
 *
 * Tuned by: the TTL. With a longer one a crash delays the others for longer; with a shorter one a shorter stall loses
 * the turn.
 *
 * A lock on a lease is usually better. A turn costs two conditional writes and a read; here it costs two writes, three
 * reads, two deletions, and ten reads a second by every waiter. A lease has a token; and it is one row, where the
 * bakery has two partitions that fill with tombstones. The bakery is for clusters that cannot use conditional writes.
 */
import { InvalidArgumentError } from '../lease/index.ts'
import { checkOptions, checkWaitMs } from '../lease/limits.ts'
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
  /** How long the other customers wait for one that crashed, in whole seconds: 6 or more. Default 30. */
  ttlSeconds?: number | undefined
  maxClockSkewMs?: number | undefined
  clock?: Clock | undefined
  timer?: Timer | undefined
  random?: (() => number) | undefined
}

export interface BakeryLockOptions {
  /** How long to stand in line, in milliseconds; 0: only if the line is empty. Left out: for ever. */
  waitMs?: number | undefined
  /** Ends the waiting. It does not end a turn that has begun. */
  signal?: AbortSignal | undefined
}

/** The work of the critical section. `signal` aborts when the turn is lost; `turn.held` looks at the clock. */
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
    // Destructured, not spread over defaults: an option given as undefined has its default too.
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
   * Runs `work` while no other customer is inside. Then clears the number, again and again until a quorum acknowledges
   * it or the number has expired. Where no retry helps, because the session is closed or the store refuses, it returns at once,
   * and the number expires by itself.
   * @throws what `work` throws, before anything else; LeaseLostError when `work` returned but the turn was lost;
   * LeaseHeldError when `waitMs` is over; StoreUnavailableError when it is over and no quorum answered; the signal's
   * reason; InvalidArgumentError, StoreRefusedError
   */
  async withLock<T>(name: string, work: Served<T>): Promise<T>
  async withLock<T>(name: string, options: BakeryLockOptions, work: Served<T>): Promise<T>
  async withLock<T>(name: string, ...rest: [Served<T>] | [BakeryLockOptions, Served<T>]): Promise<T> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
    const place = await this.#enter(name, options)
    try {
      // 10. The critical section …
      const result = await work(place.signal, place)
      // Work done after the loss may have collided with the next customer's: it must not count as a success.
      place.throwIfLost()
      return result
    } finally {
      // … and number[i] := 0.
      await place.leave()
    }
  }

  /** Stands in line, again from the end after every stall that cost the place. */
  async #enter(name: string, options: BakeryLockOptions): Promise<Place> {
    const { waitMs = Number.POSITIVE_INFINITY, signal } = options
    if (name === '') throw new InvalidArgumentError('The name of the lock is empty.')
    checkOptions(options, ['waitMs', 'signal'])
    checkWaitMs(waitMs)
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

  /** Steps 1 to 5. undefined: they took so long that another customer may have stopped waiting for this one. */
  async #takeNumber(counter: Counter, retry: BoundedRetry): Promise<Place | undefined> {
    const { registers, ttlSeconds, maxClockSkewMs, name } = counter
    // 1. choosing[i] := true. A customer that reads `choosing` from now on waits for us.
    const chosen = await retry.untilAcknowledged(undefined, () =>
      registers.setChoosing(counter.register(), ttlSeconds),
    )
    if (chosen === undefined) return undefined
    const deadline = deadlineOf(chosen.sent, ttlSeconds, maxClockSkewMs)
    // 2. All numbers, those of crashed customers too: a greater number than needed does no harm.
    const read = await retry.untilAcknowledged(deadline, () => registers.numbers(name))
    if (read === undefined) return undefined
    // 3. Two customers that choose at once may get the same number: step 9 orders them by their ids.
    let mine = 1n
    for (const { number } of read.answer) if (number >= mine) mine = number + 1n
    // 4. number[i] := mine, acknowledged before our choosing can have expired on any coordinator.
    const numbered = await retry.untilAcknowledged(deadline, () =>
      registers.setNumber(counter.register(), mine, ttlSeconds),
    )
    if (numbered === undefined) return undefined
    const place = new Place(counter, mine, numbered.sent)
    try {
      // 5. choosing[i] := false, after 4 is acknowledged. If this is not written, the others only wait for longer.
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
    // The customers that were choosing once our number was visible. One that begins later sees our number and takes a
    // greater one: to wait for those too could last for ever.
    let choosing: string[] | undefined
    while (place.held) {
      // 6. Before the numbers: a customer that this read does not show has its number, if any, in what 7 reads.
      if (choosing?.length !== 0) {
        const read = await retry.untilAcknowledged(undefined, () => registers.choosing(name))
        const now = read?.answer ?? []
        choosing = (choosing ?? now).filter((other) => other !== customer && now.includes(other))
      }
      // 7. All numbers.
      const read = await retry.untilAcknowledged(undefined, () => registers.numbers(name))
      const numbers = read?.answer ?? []
      if (!place.held) return false
      // Ours must be among them. Else the table was emptied, or the clocks differ by more than assumed: give up.
      if (!numbers.some((other) => other.customer === customer)) {
        place.lose('not-holder')
        return false
      }
      // 8. and 9. With no customer to wait for, none can come before us, as long as our number is visible.
      const ahead = numbers.filter((other) => goesBefore(other, place))
      if (choosing.length === 0 && ahead.length === 0) return true
      const first = ahead.reduce((one, other) => (goesBefore(other, one) ? other : one), ahead[0] ?? place)
      await retry.pause(first === place ? (choosing[0] ?? null) : first.customer)
    }
    return false
  }
}
