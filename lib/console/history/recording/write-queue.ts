import { isLeaseholdError } from 'leasehold/lease'
import type { Timer } from 'leasehold/time'
import PQueue from 'p-queue'

/** Writes that wait, at most: some 10 MB. A fleet that starts at once is more, and is not recorded whole. */
const defaultWaitingMax = 20_000
/** Transitions that are written at the same time share statements, and wait 0.25 s for each other: CassandraEventStore. */
const writesAtOnce = 512
const pauseMs = 500

interface WriteQueueDeps {
  readonly timer: Timer
  readonly waitingMax?: number | undefined
  /** Whether this process may write: it has the recorder's lease. */
  isElected(): boolean
  refused(error: unknown): void
}

/**
 * Writes of the recorder, which are tried again until they are done, or another process is the recorder.
 * Guarantees: it holds so many writes at most. None begins once `isElected` is false. One that is under way then, or waits to
 * share a statement with others, can still land, and is the row that the next recorder would write.
 */
export class WriteQueue {
  readonly #deps: WriteQueueDeps
  readonly #waitingMax: number
  readonly #queue = new PQueue({ concurrency: writesAtOnce })
  /** When each happened, in the order of coming: a later one may have happened before. */
  readonly #open = new Set<{ readonly atMs: number }>()

  constructor(deps: WriteQueueDeps) {
    this.#deps = deps
    this.#waitingMax = deps.waitingMax ?? defaultWaitingMax
  }

  get isHalfFull(): boolean {
    return this.#open.size > this.#waitingMax / 2
  }

  /** What happened before this is written, by the wall clock; null: all is. */
  get oldestMs(): number | null {
    let oldestMs: number | null = null
    for (const { atMs } of this.#open) oldestMs = Math.min(atMs, oldestMs ?? atMs)
    return oldestMs
  }

  /**
   * @param atMs when what is written happened, at the earliest, by the wall clock
   * @param lost Cassandra refused the write, and it is tried no more; called before `oldestMs` goes past it
   * @returns false: the queue is full
   */
  add(atMs: number, write: () => Promise<void>, lost: () => void = () => {}): boolean {
    if (this.#open.size >= this.#waitingMax) return false
    const open = { atMs }
    this.#open.add(open)
    void this.#queue.add(() => this.#write(write, lost)).finally(() => this.#open.delete(open))
    return true
  }

  async idle(): Promise<void> {
    await this.#queue.onIdle()
  }

  async #write(write: () => Promise<void>, lost: () => void): Promise<void> {
    while (this.#deps.isElected()) {
      try {
        await write()
        return
      } catch (thrown) {
        // A row that Cassandra refuses would be refused again.
        if (!isLeaseholdError(thrown, 'store-unavailable')) {
          if (isLeaseholdError(thrown, 'closed')) return
          this.#deps.refused(thrown)
          lost()
          return
        }
      }
      await this.#deps.timer.sleep(pauseMs)
    }
  }
}
