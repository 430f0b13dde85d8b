/**
 * Waiting for a lease, in turn where waiters starve.
 *
 * 1. Try. A lease that is free goes to the first that tries; most waits end here.
 * 2. Refused: wait until the holder goes (`until-free.ts`), and try again.
 * 3. Passed over, because another owner than the one that was waited for holds it now: take a ticket, and wait in turn from
 *    here on (`queue/ticket-queue.ts`).
 * 4. A process that gave the name up a moment ago looks at the queue before it tries again. If there is a ticket, it
 *    takes its own behind it. So loops that acquire, work and release take turns.
 *
 * Guarantees: a wait that is given up leaves nothing behind but, at worst, the ghost of a try whose answer was lost;
 * `letGo` looks for that one.
 * Does not guarantee: order among waiters that were not passed over, nor any order where the store has no tickets for a name.
 * With `fair: true`, every waiter takes a ticket first, and a store without tickets is an error.
 */
import { elapsedMs, type Moment } from '../../time/index.ts'
import { type AcquireOutcome, type Acquisition, acquire } from '../acquire.ts'
import type { LeaseContext } from '../context.ts'
import { isLeaseholdError } from '../errors.ts'
import { readLease } from '../reading/lease-view.ts'
import { costsOrderAlone, type Place, type TicketQueue } from './queue/ticket-queue.ts'
import { HintMemory, untilFree } from './until-free.ts'

/** After a try that ended in *unknown* or *unavailable*, and after a ticket that could not be taken, on average. */
const unansweredPauseMs = 500

interface Waiting {
  /** How long to wait at most, in milliseconds; 0: one try, Infinity: for ever. */
  readonly waitMs: number
  /** true: every waiter queues, false: none does. Left out: those that were passed over. */
  readonly fair?: boolean | undefined
  /** As `HoldOptions` has it. */
  readonly idleHintEveryMs: number | undefined
  readonly queue: TicketQueue | undefined
  /** Whether to look for waiters before the next try: this process gave the name up a moment ago (left-names.ts). Counts the look. */
  readonly takeLook: () => boolean
  /**
   * After a request to resign: waits until another owner has come in.
   * @param leftMs how long the caller waits
   * @returns false: its time is over first
   */
  readonly standBack: (leftMs: number) => Promise<boolean>
  /** Whether it would wait, as far as this process knows. */
  readonly mustStandBack: () => boolean
  /** This owner was seen to hold the lease, after `since`: a rival that came in ends the standing back. */
  readonly sawHolder: (owner: string, since: Moment) => void
  /** The caller has left. */
  readonly left: AbortSignal
}

/**
 * Tries until the lease is acquired or the time is over.
 * @returns the last outcome: *held* when the time is over, or the caller has left
 * @throws as `acquire` does; *unknown* and *unavailable* once the time is over
 */
export async function acquireWaiting(
  context: LeaseContext,
  acquisition: Acquisition,
  waiting: Waiting,
): Promise<AcquireOutcome> {
  const { queue, fair, takeLook } = waiting
  const { name } = acquisition.wanted
  if (waiting.waitMs <= 0 && !(await waiting.standBack(0))) return { kind: 'held', owner: null }
  // Without waiting no ticket is taken: the caller would leave it behind at once.
  if (waiting.waitMs <= 0) {
    const passBy = queue !== undefined && (fair === true || (fair === undefined && takeLook()))
    if (passBy && (await queue.hasWaiters(name, fair === true))) return heldNow(context, name, true)
    return acquire(context, acquisition, waiting.left)
  }
  const turn = new Turn(context, acquisition, waiting)
  try {
    return await turn.run()
  } finally {
    turn.end()
  }
}

/** One wait. */
class Turn {
  readonly #context: LeaseContext
  readonly #acquisition: Acquisition
  readonly #waiting: Waiting
  readonly #hints = new HintMemory()
  readonly #leftMs: () => number
  #place: Place | undefined
  #waitedFor: string | null = null
  #refused = 0

  constructor(context: LeaseContext, acquisition: Acquisition, waiting: Waiting) {
    const { clock } = context
    const started = clock.now()
    this.#context = context
    this.#acquisition = acquisition
    this.#waiting = waiting
    this.#leftMs = () => waiting.waitMs - elapsedMs(started, clock.now())
  }

  async run(): Promise<AcquireOutcome> {
    const { left, queue, fair, takeLook, standBack } = this.#waiting
    const { name } = this.#acquisition.wanted
    const queues = fair ?? (takeLook() && (await queue?.hasWaiters(name, false)))
    // Before it queues: its ticket would keep out those for which it stands back.
    if (!(await standBack(this.#leftMs()))) return this.#over(undefined, undefined)
    if (queues) await this.#join()
    let mayTry = this.#place === undefined
    let failed: unknown
    for (;;) {
      let outcome: AcquireOutcome | undefined
      if (mayTry && (await this.#hasStoodBack())) {
        try {
          outcome = await acquire(this.#context, this.#acquisition, left)
          failed = undefined
        } catch (thrown) {
          if (!this.#passes(thrown)) throw thrown
          failed = thrown
          await this.#afterNoAnswer()
        }
        if (outcome?.kind === 'acquired') return outcome
      }
      if (this.#leftMs() <= 0 || left.aborted) return this.#over(outcome, failed ?? this.#place?.failed)
      if (outcome?.kind === 'held') {
        this.#refused++
        await this.#joinIfPassedOver(outcome.owner)
      }
      mayTry = failed !== undefined && this.#place === undefined ? true : await this.#untilMyTurn()
      if (!mayTry && (this.#leftMs() <= 0 || left.aborted)) return this.#over(undefined, this.#place?.failed)
    }
  }

  /** The place in the queue is not needed any more; the caller does not wait for its removal. */
  end(): void {
    if (this.#place !== undefined) this.#context.engine.background.add(this.#place.leave())
    this.#place = undefined
  }

  /**
   * Before each try: a request to resign may have come while this caller was waiting. It gives up its place in the queue, which would
   * keep out those for which it stands back, and takes one behind them afterwards.
   * @returns false: it waits for its turn again, or its time is over
   */
  async #hasStoodBack(): Promise<boolean> {
    const { standBack, mustStandBack } = this.#waiting
    const leavesQueue = this.#place !== undefined && mustStandBack()
    if (leavesQueue) this.end()
    if (!(await standBack(this.#leftMs()))) return false
    if (leavesQueue) await this.#join()
    return !leavesQueue
  }

  /** @returns whether to try */
  async #untilMyTurn(): Promise<boolean> {
    const { left } = this.#waiting
    const { name } = this.#acquisition.wanted
    if (!(await this.#inQueue((place) => place.untilFirst(this.#leftMs, left)))) return false
    const began = this.#context.clock.now()
    this.#waitedFor = await untilFree(this.#context, name, {
      leftMs: this.#leftMs,
      refused: this.#refused,
      hints: this.#hints,
      pauseMs: this.#place?.pauseMs,
      idleHintEveryMs: this.#waiting.idleHintEveryMs,
      signal: left,
    })
    if (this.#waitedFor !== null) this.#waiting.sawHolder(this.#waitedFor, began)
    if (this.#leftMs() <= 0 || left.aborted) return false
    return this.#inQueue((place) => place.isFirst())
  }

  /** Asks the queue, if there is a place in it. Where that fails and no order was asked for, the wait goes on without the place. */
  async #inQueue(ask: (place: Place) => Promise<boolean>): Promise<boolean> {
    if (this.#place === undefined) return true
    try {
      return await ask(this.#place)
    } catch (thrown) {
      if (this.#waiting.fair === true || !costsOrderAlone(thrown)) throw thrown
      this.end()
      return true
    }
  }

  async #joinIfPassedOver(holder: string | null): Promise<void> {
    const { fair } = this.#waiting
    const passedOver = this.#waitedFor !== null && holder !== null && holder !== this.#waitedFor
    if (this.#place === undefined && fair !== false && passedOver) await this.#join()
  }

  async #join(): Promise<void> {
    const { queue, fair } = this.#waiting
    for (;;) {
      try {
        this.#place = await queue?.join(this.#acquisition.wanted.name, fair === true)
        return
      } catch (thrown) {
        if (!this.#passes(thrown)) throw thrown
        await this.#afterNoAnswer()
      }
    }
  }

  #passes(thrown: unknown): boolean {
    const { left } = this.#waiting
    if (this.#leftMs() <= 0 || left.aborted) return false
    if (isLeaseholdError(thrown, 'outcome-unknown')) return thrown.retryable
    return isLeaseholdError(thrown, 'store-unavailable')
  }

  async #afterNoAnswer(): Promise<void> {
    const { timer, random } = this.#context
    const pauseMs = unansweredPauseMs * (0.5 + random())
    await timer.sleep(Math.min(Math.max(0, this.#leftMs()), pauseMs), this.#waiting.left)
  }

  async #over(outcome: AcquireOutcome | undefined, failed: unknown): Promise<AcquireOutcome> {
    if (failed !== undefined) throw failed
    const { name } = this.#acquisition.wanted
    return outcome ?? heldNow(this.#context, name, this.#place?.isBehind ?? false)
  }
}

/**
 * Which owner holds the lease, if any does: without one, the tickets of other waiters kept the caller from it.
 * @throws StoreUnavailableError: an outage is not a holder
 */
async function heldNow(
  { store, clock, expiries }: LeaseContext,
  name: string,
  isBehind: boolean,
): Promise<AcquireOutcome> {
  const view = await readLease(store, clock, expiries, name)
  if (view === null && isBehind) return { kind: 'held', owner: null, behindQueue: true }
  return { kind: 'held', owner: view?.owner ?? null }
}
