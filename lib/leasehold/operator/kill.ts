/**
 * The forced release *kill*: deletes the lease of the holder that the operator saw.
 *
 * Guarantees: only the planned owner can lose the lease. If another owner holds it, before or after the re-read,
 * nothing is deleted. The delete is sent once and never again: a second one could hit a later tenure of an owner id
 * that its client uses twice.
 * *Released* is said once a read after the delete does not show the row of before. Of a row that is dated ahead of Cassandra's clock, the
 * outcome is *unknown* if that read fails, or shows a later write of the planned owner: that client may have renewed before the delete.
 * Does not guarantee: that the old holder stops. It learns of the kill at its next renewal, or stops at its deadline;
 * until then two processes may both act as the holder.
 * Assumes: nothing of clocks. One call of the store is one statement: `Operator` refuses a store that `repeats` them.
 */

import {
  type LeaseContext,
  type LeaseView,
  type ReleaseWrite,
  readLease,
  type StatementUnknownError,
} from '../lease/index.ts'
import type { Resolution } from '../telemetry/index.ts'
import { forcedSettleMs, isAhead, isSameRow, quietly } from './forced-write.ts'

export type KillOutcome =
  /** `current`: the lease after it, for showing; undefined: that read failed. */
  | { kind: 'released'; current: LeaseView | null | undefined }
  /**
   * Another owner holds the lease, or none: nothing was sent, or the store refused the delete. `owner`: the holder now;
   * null: none. `current`: the lease as read; undefined: the store refused, and the read after it failed.
   */
  | { kind: 'holder-changed'; owner: string | null; current: LeaseView | null | undefined }
  /** The answer was lost, and the planned owner is gone. Whether this delete ended its tenure cannot be known. */
  | { kind: 'superseded' }
  /**
   * Not applied, and the planned owner still holds the lease. The answer was lost: the server reported a time-out, and a SERIAL read after
   * it proves this. Or the store refused the delete, and a read after it shows that owner: its expiry is near, and the clocks of two
   * coordinators differ. Or the answer was *applied*, and a read after it shows the same owner: see the step `no-effect`.
   */
  | { kind: 'not-released' }
  /**
   * The answer was lost, and the planned owner still holds the lease. The delete may yet take effect on that owner. Or it was *applied* to
   * a row that was dated ahead, and the read after it failed, or shows a later write of that owner.
   */
  | { kind: 'unknown' }

export type KillStep =
  | { step: 're-read'; lease: LeaseView | null }
  | { step: 'sent' }
  | { step: 'answered' }
  /**
   * Cassandra answered *applied*, and the owner is as it was: a client wrote it with a timestamp that is ahead of the statement's. A value that
   * the client wrote with an older one is gone.
   */
  | { step: 'no-effect'; before: LeaseView; lease: LeaseView }
  | { step: 'answer-lost'; error: StatementUnknownError }
  | { step: 'read-again'; lease: LeaseView | null }

/** @throws StoreUnavailableError, StoreRefusedError when the re-read failed, or the delete was not sent */
export function kill(
  context: LeaseContext,
  planned: ReleaseWrite,
  onStep: (step: KillStep) => void = () => {},
): Promise<KillOutcome> {
  const { store, clock, expiries, engine } = context
  const read = () => readLease(store, clock, expiries, planned.name)
  let before: LeaseView | null = null
  let lost: StatementUnknownError | undefined
  return engine.settle<KillOutcome>(
    {
      name: 'kill',
      resolution: ({ kind }) => resolutions[kind],
      first: 'look',
      async look() {
        const seen = await read()
        onStep({ step: lost === undefined ? 're-read' : 'read-again', lease: seen })
        const isPlanned = seen?.owner === planned.owner
        if (lost === undefined) {
          before = seen
          // 1. Re-read the holder. If it is another one, do nothing.
          return isPlanned
            ? { next: 'send', soon: true }
            : { done: { kind: 'holder-changed', owner: seen?.owner ?? null, current: seen } }
        }
        // 4. Is the read final? If not, read again; never send the delete again.
        if (!isPlanned) return { done: { kind: 'superseded' } }
        return lost.finality === 'read' ? { done: { kind: 'not-released' } } : { next: 'look' }
      },
      // 2. Delete, on condition that the planned owner still holds the lease.
      async send() {
        onStep({ step: 'sent' })
        const answer = await store.release(planned)
        onStep({ step: 'answered' })
        const current = await quietly(read)
        if (answer.applied) {
          const held = before as LeaseView
          const kind = killEffect(held, current)
          if (kind === 'released') return { done: { kind, current } }
          if (kind === 'not-released')
            onStep({ step: 'no-effect', before: held, lease: current as LeaseView })
          return { done: { kind } }
        }
        if (current?.owner === planned.owner) return { done: { kind: 'not-released' } }
        return { done: { kind: 'holder-changed', owner: (current ?? answer.found)?.owner ?? null, current } }
      },
      // 3. No answer: read the lease.
      lost(error) {
        lost = error
        onStep({ step: 'answer-lost', error })
        return { next: 'look', soon: true }
      },
      unknown: () => ({ done: { kind: 'unknown' } }),
    },
    { budgetMs: forcedSettleMs },
  )
}

const resolutions = {
  released: 'applied',
  'holder-changed': 'superseded',
  superseded: 'superseded',
  'not-released': 'not-applied',
  unknown: 'open',
} as const satisfies Record<KillOutcome['kind'], Resolution>

/**
 * What a delete did that Cassandra answered as applied.
 * @param before the planned owner's row, as read before it
 * @param after the row as read after it; undefined: that read failed
 */
export function killEffect(
  before: LeaseView,
  after: LeaseView | null | undefined,
): 'released' | 'not-released' | 'unknown' {
  if (after === undefined) return isAhead(before) ? 'unknown' : 'released'
  if (after?.owner !== before.owner) return 'released'
  if (isSameRow(after, before)) return 'not-released'
  // An owner whose id is used twice has acquired again; or its client has renewed, and the renewal hides the delete.
  return isAhead(before) || isAhead(after) ? 'unknown' : 'released'
}
