/**
 * The beginnings of streams, one after the other. The first text of a stream is all that its viewer sees: 200 leases with long
 * values are 20 MB of JSON, and take a tenth of a second. Of twenty readers that came and went, all in one turn of the event
 * loop, other programs lost their leases.
 *
 * Guarantees: the beginnings of one object take a quarter of this process's time at most, and other requests come in after each. Of those that
 * wait, each sender gets its turn. A stream whose reader has gone is not begun.
 * Does not guarantee: a bound for what streams that have begun cost. The streams of leases and those of the lab have turns of
 * their own: both together may take half of the time.
 */
import { type Clock, elapsedMs, type Timer } from 'leasehold/time'
import { log } from '../log/log.ts'
import { FairSlots } from '../turns/fair-slots.ts'
import { nextTurn } from '../turns/next-turn.ts'

/** Of the time that a beginning took. */
const pauseShare = 3
/** Most take less: then the next turn of the event loop is pause enough. */
const briefMs = 2

export class StreamTurns {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #slots = new FairSlots({ atOnce: 1, ofOneSender: 1 })

  constructor({ clock, timer }: { clock: Clock; timer: Timer }) {
    this.#clock = clock
    this.#timer = timer
  }

  /** @param gone aborted when the reader has gone @param failed called when `begin` threw, which is logged */
  take(sender: string, begin: () => void, gone: AbortSignal, failed: () => void): void {
    const turn = async () => {
      const began = this.#clock.now()
      begin()
      const tookMs = elapsedMs(began, this.#clock.now())
      if (tookMs > briefMs) await this.#timer.sleep(pauseShare * tookMs)
      else await nextTurn()
    }
    this.#slots.run(sender, turn, gone).catch((error) => {
      if (gone.aborted) return
      log.error({ error }, 'a stream could not begin')
      failed()
    })
  }
}
