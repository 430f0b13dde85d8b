/**
 * New views are built one after the other, in slices. A view of a hundred thousand rows takes a tenth of a second, and a sender
 * can ask for another one with each letter.
 *
 * Guarantees: one view at most is being built in this process, whatever the number of tables and senders. Of those that wait, the one whose
 * sender asks for the fewest goes first. A sender waits for `buildsMax` at most.
 */
import type { Clock } from 'leasehold/time'
import PQueue from 'p-queue'
import { tooManyRequests } from '../../http/limits/request-limits.ts'
import { nextTurn } from '../../http/turns/next-turn.ts'
import { inSlices } from './in-slices.ts'

/**
 * Half of the lists that are under way at once (http/limits/list-slots.ts): the other turns are left to other senders. Of a
 * browser that comes back with more than four filtered lists in its tabs, the fifth is refused, and asks again a second later.
 */
export const buildsMax = 4

export class ViewBuilds {
  readonly #clock: Clock
  readonly #queue = new PQueue({ concurrency: 1 })
  readonly #ofSender = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Runs the steps when it is their turn.
   * @throws HttpProblem too-many-requests, at once: the sender has as many that wait
   */
  run<T>(sender: string, steps: Iterator<void, T>): Promise<T> {
    const before = this.#ofSender.get(sender) ?? 0
    if (before >= buildsMax)
      throw tooManyRequests(
        `${buildsMax} lists with other filters or orders are being made for this sender already. Ask again in a second.`,
        1_000,
      )
    this.#ofSender.set(sender, before + 1)
    return this.#queue.add(() => this.#build(steps), { priority: -before }).finally(() => this.#ended(sender))
  }

  async #build<T>(steps: Iterator<void, T>): Promise<T> {
    // The view before this one may have used this turn's time.
    await nextTurn()
    return inSlices(steps, this.#clock)
  }

  #ended(sender: string): void {
    const left = (this.#ofSender.get(sender) as number) - 1
    if (left === 0) this.#ofSender.delete(sender)
    else this.#ofSender.set(sender, left)
  }
}
