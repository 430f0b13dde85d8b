/**
 * Work under way at the same time, shared out among senders.
 *
 * Guarantees: `atOnce` pieces of work are under way at most, and `ofOneSender` of one sender, also where no other sender asks. Of those
 * that wait, the one whose sender has the fewest under way or next in line goes first. Work that waits when its signal aborts is never begun.
 * Does not guarantee: an end of work that was begun. It keeps its place until it ends by itself: if a sender who leaves gave up
 * the place at once, one who leaves again and again would have any number of pieces under way.
 */
import PQueue from 'p-queue'

interface Sender {
  readonly queue: PQueue
  /** What was asked for and has not ended. */
  count: number
}

export class FairSlots {
  readonly #ofOneSender: number
  readonly #all: PQueue
  readonly #senders = new Map<string, Sender>()

  constructor({ atOnce, ofOneSender }: { atOnce: number; ofOneSender: number }) {
    this.#ofOneSender = ofOneSender
    this.#all = new PQueue({ concurrency: atOnce })
  }

  /**
   * @param signal aborted when the result is wanted no more
   * @param begins called just before `work`
   * @throws the signal's reason, if it aborts before the work's turn; what `work` throws
   */
  async run<T>(sender: string, work: () => Promise<T>, signal?: AbortSignal, begins = () => {}): Promise<T> {
    signal?.throwIfAborted()
    const own = this.#senders.get(sender) ?? {
      queue: new PQueue({ concurrency: this.#ofOneSender }),
      count: 0,
    }
    this.#senders.set(sender, own)
    own.count++
    const waiting = new AbortController()
    const leave = () => waiting.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    const turn = async () => {
      signal?.removeEventListener('abort', leave)
      begins()
      return work()
    }
    const inLine = () => this.#all.add(turn, { signal: waiting.signal, priority: -own.queue.pending })
    try {
      return await own.queue.add(inLine, { signal: waiting.signal })
    } finally {
      signal?.removeEventListener('abort', leave)
      own.count--
      if (own.count === 0) this.#senders.delete(sender)
    }
  }
}
