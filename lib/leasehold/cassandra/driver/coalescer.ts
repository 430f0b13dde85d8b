/**
 * Sends statements in groups while many are in flight. The driver writes statements that are sent at once as one packet;
 * a packet for each wakes Cassandra's threads for each.
 *
 * Measured on two cores that 16 requests over HTTP, their server and Cassandra share: 22 % more requests a second.
 *
 * Guarantees: statements are sent in the order in which they came, each after `windowMs` at most; with fewer than
 * `busyFrom` in flight, at once.
 */
import { systemTimer, type Timer } from '../../time/index.ts'

interface CoalescerOptions {
  timer?: Timer | undefined
  /** For how long a group gathers, in milliseconds. */
  windowMs?: number | undefined
  /** With this many statements in flight, the next one waits for a group. */
  busyFrom?: number | undefined
}

export class Coalescer {
  readonly #timer: Timer
  readonly #windowMs: number
  readonly #busyFrom: number
  #inFlight = 0
  #isBusy = false
  #group: (() => void)[] = []

  constructor({ timer = systemTimer, windowMs = 1, busyFrom = 4 }: CoalescerOptions = {}) {
    this.#timer = timer
    this.#windowMs = windowMs
    this.#busyFrom = busyFrom
  }

  /** @returns what `send` returns */
  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isBusy || this.#inFlight >= this.#busyFrom) await this.#joined()
    this.#inFlight++
    try {
      return await send()
    } finally {
      this.#inFlight--
    }
  }

  #joined(): Promise<void> {
    this.#isBusy = true
    if (this.#group.length === 0) this.#timer.after(this.#windowMs, () => this.#send())
    return new Promise((resolve) => this.#group.push(resolve))
  }

  #send(): void {
    const group = this.#group
    this.#group = []
    // Groups end all at once, so that for a moment nothing is in flight: their size shows whether more will come.
    this.#isBusy = this.#inFlight + group.length >= this.#busyFrom
    for (const send of group) send()
  }
}
