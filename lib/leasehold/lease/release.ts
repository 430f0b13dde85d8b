/**
 * Releasing one's own lease, answers lost included.
 *
 * Guarantees: after *released* or *notHeld*, the owner does not hold the lease, and no statement of this call can
 * release anybody else's: the condition names an id that is used once. A table without an owner column has no such
 * condition; there the delete is sent once, and a lost answer stays unknown.
 * Does not guarantee: that *released* was this call's doing when an answer was lost on the way (`certain: false`):
 * the lease may have expired meanwhile. Nor that the row never shows the owner again: an acquisition that was sent more
 * than once may have a try that is still held back. If it lands after the release, it is a ghost, which blocks the name
 * for one TTL at most, and which nobody relies on.
 */

import type { LeaseContext } from './context.ts'
import { OutcomeUnknownError } from './errors.ts'
import { attempt, Pursuit } from './pursuit.ts'
import type { ReleaseWrite } from './store.ts'

export type ReleaseOutcome =
  | { kind: 'released'; certain: boolean }
  /** `owner`: who holds it instead; null: nobody. */
  | { kind: 'notHeld'; owner: string | null }

export async function release(context: LeaseContext, write: ReleaseWrite): Promise<ReleaseOutcome> {
  const { store } = context
  const pursuit = new Pursuit(context, context.settleMs)
  let lost: unknown
  do {
    try {
      const answer = await attempt(() => store.release(write))
      if (answer instanceof Error) lost = answer
      else if (answer.applied) return { kind: 'released', certain: true }
      // The id is not there, and comes never back: an earlier try of ours, or time, has released it.
      else if (lost !== undefined) return { kind: 'released', certain: false }
      else return { kind: 'notHeld', owner: answer.found?.owner ?? null }
    } catch (thrown) {
      // Once a try was lost, no error of a later one says what became of it.
      if (lost === undefined) throw thrown
    }
    // `IF EXISTS` is true of anybody's row: a second delete could hit the next holder.
    if (!store.columns.owner) break
  } while (await pursuit.again())
  throw new OutcomeUnknownError(
    `Whether ${JSON.stringify(write.name)} was released is unknown: no answer came. It expires by itself.`,
    write.name,
    write.owner,
    { cause: lost },
  )
}
