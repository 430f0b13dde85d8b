/**
 * The engine for statements whose outcome may be unknown. Every conditional write of this
 * library runs on it, but for those of the doctor's canary, which tries the store itself.
 *
 * A conditional write has three answers: applied, not applied, and none. None is the normal case: a time-out, a broken
 * socket, a contended round. The write may then have been applied, or may be applied half a minute later. What to do
 * about that is always the same, and stands here once:
 *
 *   1. Send the statement. Its answer decides: done, send again, or look.
 *   2. No answer: the operation says whether to look or to send again. It may send again only what cannot do harm twice.
 *   3. Look: one SERIAL read. What it proves decides: done, send again, or look again.
 *   4. Between two steps pause, longer each time, with jitter, so that contenders who collided do not collide again.
 *   5. When the time is over, the caller forbids another send, or nothing more can be found out: say that the outcome is unknown,
 *      never that it failed.
 *
 * An operation states what it sends, what a read proves, and what may be repeated. Callers need not wait for all of it:
 * see `background.ts`.
 *
 * Guarantees: *not applied* is said only on a server's answer. After a lost answer, no later error of the store hides that the outcome
 * is unknown, unless a read has settled it. An operation that fails by its own verdict (`fail`) throws its own error all the same: that
 * must be true whatever became of the write.
 * Does not guarantee: that an outcome is found out. Safety never rests on it: it comes from conditions that match once.
 * Assumes: nothing of clocks; time measures patience alone.
 */
import { noTelemetry, type Resolution, type Telemetry, type WriteOperation } from '../../telemetry/index.ts'
import { type Clock, elapsedMs, type Timer } from '../../time/index.ts'
import { InvalidArgumentError, isLeaseholdError, type StatementUnknownError } from '../errors.ts'
import { Background } from './background.ts'

/** What an answer or a read decides. */
export type Verdict<O> =
  | { readonly done: O }
  /** `soon`: without a pause. `settled`: the write whose answer was lost was not applied, and cannot be any more. */
  | { readonly next: 'send' | 'look'; readonly soon?: boolean; readonly settled?: boolean }
  /** `resolution`: what became of a write whose answer was lost; left out: superseded. */
  | { readonly fail: Error; readonly resolution?: Resolution }
  /** Nothing more can be found out; the reason as a sentence. */
  | { readonly unknown: string }

export interface Operation<O> {
  /** For telemetry; left out: it reports nothing. */
  readonly name?: WriteOperation | undefined
  /** What an outcome says of the write whose answer was lost; left out: applied. */
  resolution?(outcome: O): Resolution
  /** The first step; left out: send. */
  readonly first?: 'look' | undefined
  /** Sends the statement once. @returns what its answer means. @throws StatementUnknownError when no answer came */
  send(): Promise<Verdict<O>>
  /** Reads at SERIAL. @returns what the read proves */
  look?(): Promise<Verdict<O>>
  /** No answer came. */
  lost(error: StatementUnknownError): Verdict<O>
  /** A look failed, because the store is away; left out: look again. */
  unread?(): Verdict<O>
  /** Left out: a store that cannot be reached ends the operation, unless an answer was lost before. */
  readonly ridesOutUnavailable?: boolean | undefined
  /** The error for an unknown outcome, or *unknown* as an outcome. `cause`: the answer that was lost. */
  unknown(why: string, cause?: unknown): Error | { readonly done: O }
  /** The error when the time is over and no answer was lost; left out: `unknown`. */
  exhausted?(cause?: unknown): Error
}

/** For a caller that decided on this write a moment ago, and must not act on a decision that has grown old. */
export interface Resending {
  /**
   * Asked right before the statement is sent again; false: it is not, and OutcomeUnknownError is thrown, as the first one may have
   * been applied. The first one is the caller's own decision. Left out: sent again for as long as `settleMs` says.
   */
  readonly mayResend?: (() => boolean) | undefined
}

export interface SettleOptions extends Resending {
  /** How long to go on from the beginning, in milliseconds. Left out: `settleMs`, and once more from the first lost answer. */
  readonly budgetMs?: number | undefined
  /** Where `budgetMs` is left out: how long to go on from the beginning at most, in milliseconds. */
  readonly atMostMs?: number | undefined
  /** The first pause, in milliseconds; it doubles up to half a second. Each one is half to one and a half times as long, at random. */
  readonly firstPauseMs?: number | undefined
  /** The caller has left: no further step begins. */
  readonly abandoned?: AbortSignal | undefined
}

interface EngineOptions {
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  /** For how long a lost answer is pursued, in milliseconds, from the moment at which the wait for it ended. */
  readonly settleMs: number
  readonly telemetry?: Telemetry | undefined
}

/** How long a lost answer is pursued unless configured, in milliseconds. */
export const defaultSettleMs = 20_000
const firstPauseMs = 20
const longestPauseMs = 500

export class OutcomeEngine {
  readonly clock: Clock
  readonly timer: Timer
  readonly settleMs: number
  /** Work that continues without its caller; every operation ends when it stops. */
  readonly background: Background
  readonly #random: () => number
  readonly #telemetry: Telemetry

  /** @throws InvalidArgumentError on a `settleMs` that is no time */
  constructor({ clock, timer, random, settleMs, telemetry = noTelemetry }: EngineOptions) {
    if (!(Number.isFinite(settleMs) && settleMs >= 0))
      throw new InvalidArgumentError(`settleMs is ${settleMs}; 0 or more milliseconds are expected.`)
    this.clock = clock
    this.timer = timer
    this.settleMs = settleMs
    this.#random = random
    this.#telemetry = telemetry
    this.background = new Background({ clock, timer })
  }

  /** Runs one operation to its outcome. @throws the reason of `abandoned` when it has aborted before the first step */
  async settle<O>(operation: Operation<O>, options: SettleOptions = {}): Promise<O> {
    const { budgetMs, atMostMs = Number.POSITIVE_INFINITY, abandoned, mayResend = () => true } = options
    abandoned?.throwIfAborted()
    const started = this.clock.now()
    // The wait for one answer may take all of settleMs: the time for the search counts from the end of that wait.
    let firstLost = started
    const leftMs = () => {
      const now = this.clock.now()
      const spentMs = elapsedMs(started, now)
      if (budgetMs !== undefined) return budgetMs - spentMs
      return Math.min(atMostMs - spentMs, this.settleMs - elapsedMs(firstLost, now))
    }
    let lost: unknown
    let failed: unknown
    const report = new LostAnswer(operation.name, this.#telemetry)
    const unknown = (why: string, cause: unknown): O => {
      report.settled('open')
      const end = operation.unknown(why, cause)
      if (end instanceof Error) throw end
      return end.done
    }
    let step: 'send' | 'look' = operation.first ?? 'send'
    let isSent = false
    for (let round = 0; ; round++) {
      let verdict: Verdict<O>
      // Here, and not after the answer was lost: the process may have been stopped during the pause, or during a read.
      if (step === 'send' && isSent && !mayResend())
        return unknown('it is too late to send the statement again.', lost)
      isSent ||= step === 'send'
      try {
        verdict =
          step === 'send' ? await operation.send() : await (operation.look as () => Promise<Verdict<O>>)()
      } catch (thrown) {
        failed = thrown
        if (isLeaseholdError(thrown, 'statement-unknown')) {
          lost = thrown
          if (firstLost === started) firstLost = this.clock.now()
          report.lost()
          verdict = operation.lost(thrown)
        } else if (isLeaseholdError(thrown, 'store-unavailable') && step === 'look' && lost !== undefined) {
          verdict = operation.unread?.() ?? { next: 'look' }
        } else if (isLeaseholdError(thrown, 'store-unavailable')) {
          if (lost === undefined && operation.ridesOutUnavailable !== true) throw thrown
          verdict = { next: step }
        } else if (lost === undefined) throw thrown
        else {
          const isRefused = isLeaseholdError(thrown, 'store-refused')
          return unknown(isRefused ? sentence(thrown.message) : 'no later answer tells.', thrown)
        }
      }
      if ('done' in verdict) {
        report.settled(operation.resolution?.(verdict.done) ?? 'applied')
        return verdict.done
      }
      if ('fail' in verdict) {
        report.settled(verdict.resolution ?? 'superseded')
        throw verdict.fail
      }
      if ('unknown' in verdict) return unknown(verdict.unknown, lost)
      step = verdict.next
      if (verdict.settled === true) {
        lost = undefined
        report.settled('not-applied')
      }
      if (verdict.soon !== true) await this.#pause(round, leftMs(), options)
      const over = verdict.soon !== true && leftMs() <= 0
      if (over || abandoned?.aborted || this.background.stopped.aborted) {
        if (lost === undefined && operation.exhausted !== undefined) throw operation.exhausted(failed)
        return unknown('no answer came.', lost)
      }
    }
  }

  async #pause(
    round: number,
    leftMs: number,
    { firstPauseMs: first = firstPauseMs, abandoned }: SettleOptions,
  ) {
    if (leftMs <= 0) return
    const pauseMs = Math.min(longestPauseMs, first * 2 ** Math.min(round, 10)) * (0.5 + this.#random())
    await this.timer.sleep(Math.min(pauseMs, leftMs), abandoned ?? this.background.stopped)
  }
}

/** Cassandra's own messages have no full stop. */
const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** Reports that an operation lost an answer, once, and what became of it. */
class LostAnswer {
  readonly #operation: WriteOperation | undefined
  readonly #telemetry: Telemetry
  #isOpen = false

  constructor(operation: WriteOperation | undefined, telemetry: Telemetry) {
    this.#operation = operation
    this.#telemetry = telemetry
  }

  lost(): void {
    if (this.#isOpen || this.#operation === undefined) return
    this.#isOpen = true
    this.#telemetry.outcomeUnknown(this.#operation)
  }

  settled(resolution: Resolution): void {
    if (!this.#isOpen || this.#operation === undefined) return
    this.#isOpen = false
    this.#telemetry.outcomeSettled(this.#operation, resolution)
  }
}
