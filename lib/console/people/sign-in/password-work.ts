/**
 * An Argon2 takes 19 MiB and tens of milliseconds of a processor: a few run at once, behind a short queue.
 *
 * Guarantees: two at once; known askers (a session, or a device in which the user signed in before) go first, and wait in
 * places of their own, so that a flood of strangers does not hold them up; of one key (an address, for strangers) a few
 * wait at once, so that one address does not take all places.
 * Does not guarantee: a place for a stranger while strangers from many addresses send tries faster than they are
 * checked.
 */
import PQueue from 'p-queue'
import { tooManyAttempts } from './too-many-attempts.ts'

const atOnce = 2
const waitingMax = 16
const waitingMaxByKey = 4

/** The source of a password to check. */
export interface Asker {
  known: boolean
  key: string
}

export class PasswordWork {
  readonly #queue = new PQueue({ concurrency: atOnce })
  /** How many wait, by asker. */
  readonly #waiting = new Map<string, number>()

  /** @throws HttpProblem too-many-attempts: nothing was done; what `work` throws */
  run<T>({ known, key }: Asker, work: () => Promise<T>): Promise<T> {
    const priority = known ? 1 : 0
    const asker = `${priority} ${key}`
    const waiting = this.#waiting.get(asker) ?? 0
    const isFull = this.#queue.sizeBy({ priority }) >= waitingMax || waiting >= waitingMaxByKey
    if (this.#queue.pending >= atOnce && isFull) return Promise.reject(tooManyAttempts(1))
    this.#count(asker, 1)
    const begin = () => {
      this.#count(asker, -1)
      return work()
    }
    return this.#queue.add(begin, { priority })
  }

  #count(asker: string, change: number): void {
    const count = (this.#waiting.get(asker) ?? 0) + change
    if (count === 0) this.#waiting.delete(asker)
    else this.#waiting.set(asker, count)
  }
}
