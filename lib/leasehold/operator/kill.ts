/**
 * The forced release *kill*: somebody else's lease is deleted, bound to the holder that a person saw.
 *
 * Guarantees: only the planned owner can lose the lease by this. If anybody else holds it, before or after the
 * re-read, nothing is released. The delete is sent once and never again: an owner id that its client uses more than
 * once could otherwise be hit in a later tenure.
 * Does not guarantee: that the old holder stops. It learns of it at its next renewal, at the latest when its TTL is
 * over; until then two processes may both act as the holder.
 * Assumes: nothing of clocks.
 */

import type { LeaseContext } from '../lease/context.ts'
import type { StatementUnknownError } from '../lease/errors.ts'
import { type LeaseView, readLease } from '../lease/lease-view.ts'
import { openForMs } from '../lease/open-tries.ts'
import type { ReleaseWrite } from '../lease/store.ts'

export type KillOutcome =
  | { kind: 'released' }
  /**
   * Refused: nothing was sent, or the store said no. `owner`: who holds it now, null: nobody. `current`: the lease as
   * read; undefined: the store said who, and a read of it failed.
   */
  | { kind: 'holder-changed'; owner: string | null; current: LeaseView | null | undefined }
  /** The answer was lost; the planned owner is gone. Whether by this delete, nobody can tell. */
  | { kind: 'superseded' }
  /** The answer was lost, and the server's word is final: not applied. */
  | { kind: 'not-released' }
  /** The answer was lost, and the planned owner is still there. The delete may yet take effect, on it alone. */
  | { kind: 'unknown' }

export type KillStep =
  | { step: 're-read'; lease: LeaseView | null }
  | { step: 'sent' }
  | { step: 'answered' }
  | { step: 'answer-lost'; error: StatementUnknownError }
  | { step: 'read-again'; lease: LeaseView | null }

/** How long a lost answer is looked into, in milliseconds: longer than any write was ever under way. */
export const killSettleMs = openForMs

/** @throws StoreUnavailableError, StoreRefusedError when the holder cannot be re-read, or the delete was not sent */
export function kill(
  context: LeaseContext,
  planned: ReleaseWrite,
  onStep: (step: KillStep) => void = () => {},
): Promise<KillOutcome> {
  const { store, clock, expiries, engine } = context
  const read = () => readLease(store, clock, expiries, planned.name)
  let lost: StatementUnknownError | undefined
  return engine.settle<KillOutcome>(
    {
      first: 'look',
      async look() {
        const seen = await read()
        onStep({ step: lost === undefined ? 're-read' : 'read-again', lease: seen })
        const isPlanned = seen?.owner === planned.owner
        if (lost === undefined)
          // 1. Who holds it now? Another one: hands off.
          return isPlanned
            ? { next: 'send', soon: true }
            : { done: { kind: 'holder-changed', owner: seen?.owner ?? null, current: seen } }
        // 4. Something final? The delete is not sent again.
        if (!isPlanned) return { done: { kind: 'superseded' } }
        return lost.finality === 'read' ? { done: { kind: 'not-released' } } : { next: 'look' }
      },
      // 2. Delete, on condition that it is still the planned one: between 1 and 2 everything may have happened.
      async send() {
        onStep({ step: 'sent' })
        const answer = await store.release(planned)
        onStep({ step: 'answered' })
        if (answer.applied) return { done: { kind: 'released' } }
        const current = await quietly(read)
        return { done: { kind: 'holder-changed', owner: (current ?? answer.found)?.owner ?? null, current } }
      },
      // 3. No answer: look.
      lost(error) {
        lost = error
        onStep({ step: 'answer-lost', error })
        return { next: 'look', soon: true }
      },
      unknown: () => ({ done: { kind: 'unknown' } }),
    },
    { budgetMs: killSettleMs },
  )
}

/** After a write was answered, no error of a read changes what became of it. */
export async function quietly(read: () => Promise<LeaseView | null>): Promise<LeaseView | null | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
