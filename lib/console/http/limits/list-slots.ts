/**
 * Lists under way at the same time. Each reads many rows, some of them at SERIAL one by one; a page of leases costs
 * Cassandra as much as 200 single reads.
 *
 * Guarantees: `listsAtOnce` lists at most are under way in this process, whatever the number of senders, and `listsOfOneSender` of
 * one sender. A list keeps its place until the turn of the event loop after it was read, so that other requests come in between,
 * however many lists one sender asks for and however little they read. A request waits 2 s for its turn at most, and is not read
 * when its client hangs up before. Of those that wait, the one whose sender has the fewest lists under way or next in line goes first.
 * Does not guarantee: a turn, when more lists are asked for than Cassandra answers. Nor that a list under way ends with its client:
 * a handler that reads for long has to look at the signal itself.
 */
import type { Timer } from 'leasehold/time'
import { HttpProblem } from '../http-problem.ts'
import { FairSlots } from '../turns/fair-slots.ts'
import { nextTurn } from '../turns/next-turn.ts'
import { tooManyRequests } from './request-limits.ts'

export const listsAtOnce = 8
/** One sender leaves places to others, however many lists it asks for and however long they take. */
export const listsOfOneSender = 4
const turnWithinMs = 2_000

export class ListSlots {
  readonly #timer: Timer
  readonly #slots = new FairSlots({ atOnce: listsAtOnce, ofOneSender: listsOfOneSender })

  constructor(timer: Timer) {
    this.#timer = timer
  }

  /**
   * @param client aborted when the client has hung up
   * @throws HttpProblem too-many-requests: it was not this request's turn in time; bad-request: the client has hung up; what `work`
   * throws
   */
  async run<T>(sender: string, work: () => Promise<T>, client?: AbortSignal): Promise<T> {
    const ended = new AbortController()
    const stop = this.#timer.after(turnWithinMs, () => ended.abort(noTurn()))
    const leave = () => ended.abort(hungUp())
    client?.addEventListener('abort', leave)
    if (client?.aborted) leave()
    try {
      // Its answer is made into JSON when the place is given up: one turn makes that of `listsOfOneSender` lists of a sender at most.
      return await this.#slots.run(sender, () => work().finally(nextTurn), ended.signal, stop)
    } catch (thrown) {
      throw client?.aborted ? hungUp() : thrown
    } finally {
      stop()
      client?.removeEventListener('abort', leave)
    }
  }
}

const noTurn = () =>
  tooManyRequests(
    `There was no turn for this list within ${turnWithinMs / 1000} s: ${listsAtOnce} are read at once, ${listsOfOneSender} of one sender.`,
    1_000,
  )

/** The answer is for the log alone. */
const hungUp = () =>
  new HttpProblem('bad-request', 'The client closed the connection before the list was read.')
