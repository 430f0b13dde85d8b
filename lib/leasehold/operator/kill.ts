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
import { attempt, Pursuit } from '../lease/pursuit.ts'
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

/** Longer than any late application that was ever measured (25 s after the send). */
export const killSettleMs = 30_000

/** @throws StoreUnavailableError, StoreRefusedError when the holder cannot be re-read, or the delete was not sent */
export async function kill(
  context: LeaseContext,
  planned: ReleaseWrite,
  onStep: (step: KillStep) => void = () => {},
): Promise<KillOutcome> {
  const { store, clock, expiries } = context
  const read = () => readLease(store, clock, expiries, planned.name)
  // 1. Who holds it now? SERIAL.
  const before = await read()
  onStep({ step: 're-read', lease: before })
  // 2. Another one: hands off.
  if (before?.owner !== planned.owner)
    return { kind: 'holder-changed', owner: before?.owner ?? null, current: before }
  // 3. Delete, on condition that it is still the planned one: between 1 and 3 everything may have happened.
  onStep({ step: 'sent' })
  const answer = await attempt(() => store.release(planned))
  if (!(answer instanceof Error)) {
    onStep({ step: 'answered' })
    if (answer.applied) return { kind: 'released' }
    const current = await quietly(read)
    return { kind: 'holder-changed', owner: (current ?? answer.found)?.owner ?? null, current }
  }
  // 4. No answer. Read until something final is seen; do not send it again.
  onStep({ step: 'answer-lost', error: answer })
  const pursuit = new Pursuit(context, killSettleMs)
  do {
    const seen = await quietly(read)
    if (seen === undefined) continue
    onStep({ step: 'read-again', lease: seen })
    if (seen?.owner !== planned.owner) return { kind: 'superseded' }
    if (answer.finality === 'read') return { kind: 'not-released' }
  } while (await pursuit.again())
  return { kind: 'unknown' }
}

/** After a write was sent, no error of a read says what became of it: undefined, and the pursuit goes on. */
export async function quietly(read: () => Promise<LeaseView | null>): Promise<LeaseView | null | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
