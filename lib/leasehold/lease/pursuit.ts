import { type Clock, elapsedMs, type Moment, type Timer } from '../time/index.ts'
import { isLeaseholdError, type StatementUnknownError } from './errors.ts'
import type { CasAnswer } from './store.ts'

/**
 * Tries of one operation whose answers may be lost: how long to go on, and how long to pause between two tries.
 * The pause doubles from 20 ms to 500 ms, with jitter, so that contenders who collided do not collide again.
 */
export class Pursuit {
  readonly started: Moment
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #random: () => number
  readonly #budgetMs: number
  #tries = 0

  constructor(deps: { clock: Clock; timer: Timer; random: () => number }, budgetMs: number) {
    this.#clock = deps.clock
    this.#timer = deps.timer
    this.#random = deps.random
    this.#budgetMs = budgetMs
    this.started = deps.clock.now()
  }

  /** @returns false once the budget is used up, else true after a pause */
  async again(): Promise<boolean> {
    const leftMs = this.#budgetMs - elapsedMs(this.started, this.#clock.now())
    if (leftMs <= 0) return false
    const pauseMs = Math.min(500, 20 * 2 ** this.#tries++) * (0.5 + this.#random())
    await this.#timer.sleep(Math.min(pauseMs, leftMs))
    return elapsedMs(this.started, this.#clock.now()) < this.#budgetMs
  }
}

/** Sends one conditional write; an answer that never came is a value here, because it is the normal case. */
export async function attempt(send: () => Promise<CasAnswer>): Promise<CasAnswer | StatementUnknownError> {
  try {
    return await send()
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'statement-unknown')) return thrown
    throw thrown
  }
}
