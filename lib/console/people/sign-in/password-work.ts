/**
 * Argon2 takes 19 MiB and tens of milliseconds of a processor each time: so many at once, and a short queue before it.
 *
 * Guarantees: two at once; those who are known (signed in, or from an address from which they signed in before) go
 * first and wait in places of their own, so that a flood of strangers holds none of them up; of one key, which is an
 * address where nobody is known, a few wait at once, so that one of them does not take all places.
 * Does not guarantee: a place for a stranger while strangers from many addresses come faster than they are looked at.
 */
import { tooManyAttempts } from './too-many-attempts.ts'

const atOnce = 2
const waitingMax = 16
const waitingMaxByKey = 4

/** Whose password it is that is to be looked at. */
export interface Asker {
  known: boolean
  key: string
}

interface Waiting extends Asker {
  begin(): void
}

export class PasswordWork {
  #running = 0
  #waiting: Waiting[] = []

  /** @throws HttpProblem too-many-attempts: nothing was done; what `work` throws */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running < atOnce) this.#running += 1
    else await this.#turn(asker)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn({ known, key }: Asker): Promise<void> {
    const alike = this.#waiting.filter((other) => other.known === known)
    if (alike.length >= waitingMax || alike.filter((other) => other.key === key).length >= waitingMaxByKey)
      throw tooManyAttempts(1)
    return new Promise((begin) => this.#waiting.push({ known, key, begin }))
  }

  /** The place goes on to whoever waits, without being free in between. */
  #next(): void {
    const next = this.#waiting.find(({ known }) => known) ?? this.#waiting[0]
    if (next === undefined) {
      this.#running -= 1
      return
    }
    this.#waiting = this.#waiting.filter((other) => other !== next)
    next.begin()
  }
}
