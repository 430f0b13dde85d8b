/**
 * Sends statements in groups while many are in flight. The driver writes statements that are sent at once as one packet;
 * a packet for each wakes Cassandra's threads for each.
 *
 * A group is sent when it has as many statements as are in flight: half of the work is under way while the other half
 * gathers, so that groups grow with the load by themselves.
 *
 * Guarantees: statements are sent in the order in which they came, each after `windowMs` at most; with fewer than
 * `busyFrom` in flight, at once.
 */
import { systemTimer, type Timer } from '../../time/index.ts'

interface CoalescerOptions {
  timer?: Timer | undefined
  /** For how long a group gathers at most, in milliseconds. */
  windowMs?: number | undefined
  /** The same while nothing is in flight: answers of the last group are being turned into the next statements. */
  idleWindowMs?: number | undefined
  /** With this many statements in flight, the next one waits for a group. */
  busyFrom?: number | undefined
}

export class Coalescer {
  readonly #timer: Timer
  readonly #windowMs: number
  readonly #idleWindowMs: number
  readonly #busyFrom: number
  #inFlight = 0
  #isBusy = false
  #group: (() => void)[] = []
  #stopTimer: (() => void) | undefined

  constructor({ timer = systemTimer, windowMs = 4, idleWindowMs = 1, busyFrom = 4 }: CoalescerOptions = {}) {
    this.#timer = timer
    this.#windowMs = windowMs
    this.#idleWindowMs = idleWindowMs
    this.#busyFrom = busyFrom
  }

  /** @returns what `send` returns */
  run<T>(send: () => Promise<T>): Promise<T> {
    return this.#isBusy || this.#inFlight >= this.#busyFrom ? this.#joined(send) : this.#sent(send)
  }

  async #sent<T>(send: () => Promise<T>): Promise<T> {
    this.#inFlight++
    try {
      return await send()
    } finally {
      this.#inFlight--
      this.#sendIfEnough()
    }
  }

  #joined<T>(send: () => Promise<T>): Promise<T> {
    this.#isBusy = true
    return new Promise((resolve) => {
      // Not a promise for the group: the next statement of this turn would overtake what waits for that promise.
      if (this.#group.push(() => resolve(this.#sent(send))) === 1) {
        const windowMs = this.#inFlight > 0 ? this.#windowMs : this.#idleWindowMs
        this.#stopTimer = this.#timer.after(windowMs, () => this.#send())
      }
      this.#sendIfEnough()
    })
  }

  #sendIfEnough(): void {
    if (this.#inFlight > 0 && this.#group.length >= this.#inFlight) this.#send()
  }

  #send(): void {
    this.#stopTimer?.()
    const group = this.#group
    this.#group = []
    // Groups end all at once, so that for a moment nothing is in flight: their size tells whether more will come.
    this.#isBusy = this.#inFlight + group.length >= this.#busyFrom
    for (const send of group) send()
  }
}
