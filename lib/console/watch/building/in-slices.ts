/**
 * Long work in slices: between two of them the event loop does everything else that is ready.
 *
 * Guarantees: of one turn of the loop, the work takes `sliceMs` and the length of one step at most, however long it is in all.
 * Assumes: steps of a few milliseconds at most. A step is what the work does between two `yield`s.
 * Tuned by: `sliceMs`. A request that asks Cassandra ten times waits for some twenty turns.
 */
import type { Clock } from 'leasehold/time'
import { nextTurn } from '../../http/turns/next-turn.ts'

const sliceMs = 5

/** Runs all steps. The first slice is of this turn. @throws what a step throws */
export async function inSlices<T>(steps: Iterator<void, T>, clock: Clock): Promise<T> {
  for (;;) {
    const endMs = clock.now().monotonicMs + sliceMs
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (clock.now().monotonicMs < endMs)
    await nextTurn()
  }
}
