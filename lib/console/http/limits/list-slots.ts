/**
 * Lists under way at the same time. Each reads many rows, some of them at SERIAL one by one; a page of leases costs
 * Cassandra as much as 200 single reads.
 *
 * Guarantees: `listsAtOnce` lists at most are under way in this process, whatever the number of senders. A request waits 2 s for its
 * turn at most. Of those that wait, the one whose sender has the fewest lists here goes first.
 * Does not guarantee: a turn, when more lists are asked for than Cassandra answers.
 */
import type { Timer } from 'leasehold/time'
import PQueue from 'p-queue'
import { tooManyRequests } from './request-limits.ts'

export const listsAtOnce = 8
const turnWithinMs = 2_000

export class ListSlots {
  readonly #timer: Timer
  readonly #queue = new PQueue({ concurrency: listsAtOnce })
  /** How many lists each sender has, including those that wait. */
  readonly #ofSender = new Map<string, number>()

  constructor(timer: Timer) {
    this.#timer = timer
  }

  /** @throws HttpProblem too-many-requests: it was not this request's turn in time; what `work` throws */
  async run<T>(sender: string, work: () => Promise<T>): Promise<T> {
    const late = new AbortController()
    const stop = this.#timer.after(turnWithinMs, () => late.abort())
    const priority = -this.#count(sender, 1)
    try {
      let begun: Promise<T> | undefined
      await this.#queue.add(
        async () => {
          stop()
          begun = work()
          // The caller receives the error.
          await begun.catch(() => {})
        },
        { signal: late.signal, priority },
      )
      return await (begun as unknown as Promise<T>)
    } catch (thrown) {
      if (!late.signal.aborted) throw thrown
      throw tooManyRequests(
        `${listsAtOnce} lists are being read, and there was no turn for this one within ${turnWithinMs / 1000} s.`,
        1_000,
      )
    } finally {
      stop()
      this.#count(sender, -1)
    }
  }

  #count(sender: string, change: number): number {
    const count = (this.#ofSender.get(sender) ?? 0) + change
    if (count === 0) this.#ofSender.delete(sender)
    else this.#ofSender.set(sender, count)
    return count
  }
}
