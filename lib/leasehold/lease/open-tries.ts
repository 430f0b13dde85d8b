/**
 * The tries of one tenure that may still be applied, and what they do to its deadline. Pure bookkeeping, no clock.
 *
 * A row's expiry second is fixed when a statement starts; its version when the statement is applied. Try A starts,
 * contends, and its answer is lost; the retry B is applied and answered; then A wins its round, and the row expires as
 * early as A began. So the deadline of B must allow for A:
 *
 * 1. Whatever is applied after B was applied after B was sent, and started at most `contentionMs` before.
 * 2. It started no earlier than it was sent. So nothing starts before the oldest try that is open when B is sent.
 * 3. Hence the deadline of B counts from the later of the two, and from B's own send where no try is open.
 *
 * Guarantees: no expiry of the row, now or later, comes before `countsFrom` plus the TTL of the tenure (in whole seconds).
 * Assumes: that the server gives up contending after `contentionMs`, and that nothing is applied `openForMs` after its send.
 */
import { elapsedMs, type Moment, surelyElapsedMs } from '../time/index.ts'

/**
 * For how long after its send a write may still be applied, in milliseconds: 30 s, which is longer than any late application
 * that was ever measured (25 s), after the last send of a server, which may come 60 s after its request was sent: 20 s
 * of contention, 20 s without an answer, and 20 s in which the server sends again.
 */
export const openForMs = 90_000

/** One statement of a tenure, on its way. */
export interface OpenTry {
  readonly sent: Moment
  /** The oldest try that was open when this one was sent. */
  readonly oldest: Moment | undefined
}

export class OpenTries {
  readonly #open = new Set<OpenTry>()
  #missed: Moment | undefined
  #answered: Moment | undefined

  /** Notes a try. Call it before sending. */
  begin(sent: Moment): OpenTry {
    let oldest: Moment | undefined
    for (const { sent: earlier } of this.#open)
      if (oldest === undefined || elapsedMs(earlier, sent) > elapsedMs(oldest, sent)) oldest = earlier
    const mine = { sent, oldest }
    this.#open.add(mine)
    return mine
  }

  /** The server has answered it, or a later read has settled it: it cannot be applied any more. */
  end(ended: OpenTry): void {
    this.#open.delete(ended)
  }

  /** No answer came to it: it may have been applied, and the deadline does not count from it. */
  miss({ sent }: OpenTry): void {
    this.#missed = sent
  }

  /** A try was answered as applied. The row is now what that try wrote: earlier tries that are settled no longer matter. */
  applied(answered: Moment): void {
    this.#answered = answered
    this.#missed = undefined
  }

  /**
   * When the last try that was applied was answered; undefined: none was, as far as is known. Its statement started before, perhaps
   * long after it was sent: the deadline counts from the send, and the row from the start.
   */
  get lastAnswered(): Moment | undefined {
    return this.#answered
  }

  /** When the last try was sent that may be applied, or may have been, and was not answered; undefined: none. */
  get lastUnanswered(): Moment | undefined {
    let last = this.#missed
    for (const { sent } of this.#open)
      if (last === undefined || sent.monotonicMs > last.monotonicMs) last = sent
    return last
  }

  /** Forgets tries that are too old to be applied. */
  forgetOld(now: Moment): void {
    for (const each of this.#open) if (surelyElapsedMs(each.sent, now) >= openForMs) this.#open.delete(each)
  }

  /**
   * From when the deadline counts once this try was answered as applied.
   * @param repeats tries may be open that are not noted here: those that a server made
   */
  static countsFrom({ sent, oldest }: OpenTry, contentionMs: number, repeats = false): Moment {
    const earliest = { monotonicMs: sent.monotonicMs - contentionMs, wallMs: sent.wallMs - contentionMs }
    if (repeats) return earliest
    if (oldest === undefined || elapsedMs(oldest, sent) <= 0) return sent
    if (elapsedMs(oldest, sent) <= contentionMs) return oldest
    return earliest
  }
}
