/**
 * Releasing one's own lease, answers lost included.
 *
 * Guarantees: after *released* or *notHeld*, the owner does not hold the lease, and no statement of this call can
 * release another holder's: the condition names an id that is used once.
 * A table without an owner column has no such condition: `DELETE … IF EXISTS` hits any holder. There the delete is sent
 * once, and only before the deadline of the tenure; it is *certain* only when its answer came before the deadline, too.
 * Does not guarantee: that *released* was this call's doing when an answer was lost on the way (`certain: false`):
 * the lease may have expired meanwhile, or, where the caller gives an owner that is used twice, the delete may have hit a later
 * tenure of that owner. In a table without an owner column, a delete that is applied after the deadline
 * can hit the next holder: `certain: false` and OutcomeUnknownError mean that, too.
 */
import { type Deadline, untilDeadlineMs } from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import type { Operation, Resending } from './engine/outcome-engine.ts'
import { OutcomeUnknownError } from './errors.ts'

export type ReleaseOutcome =
  | { kind: 'released'; certain: boolean }
  /** `owner`: who holds it instead; null: no holder, or a table without an owner column. */
  | { kind: 'notHeld'; owner: string | null }

/** A tenure, or what of it is known. */
export interface Releasable {
  readonly name: string
  readonly owner: string
  /** Left out: in a table without an owner column, the delete hits any holder. */
  readonly deadline?: Deadline | undefined
}

const sentSoonMs = 1_000

export function release(
  context: LeaseContext,
  held: Releasable,
  resending: Resending = {},
): Promise<ReleaseOutcome> {
  const step = { name: 'release', lease: held.name } as const
  return context.telemetry.step(step, () => releaseHeld(context, held, resending))
}

function releaseHeld(
  context: LeaseContext,
  held: Releasable,
  { mayResend }: Resending,
): Promise<ReleaseOutcome> {
  const { store, clock, engine } = context
  const { name, owner, deadline } = held
  const inTime = () => deadline !== undefined && untilDeadlineMs(deadline, clock.now()) > 0
  /** Past the deadline the delete would hit the next holder. */
  const sentWithinMs = () =>
    store.columns.owner || deadline === undefined
      ? undefined
      : Math.min(sentSoonMs, untilDeadlineMs(deadline, clock.now()))
  // The row has expired, or will before long; by now it may be another holder's.
  if (!store.columns.owner && deadline !== undefined && !inTime())
    return Promise.resolve({ kind: 'notHeld', owner: null })
  let lost = false
  const operation: Operation<ReleaseOutcome> = {
    name: 'release',
    async send() {
      const answer = await store.release({ name, owner, sentWithinMs: sentWithinMs() })
      if (answer.applied) {
        const certain = answer.certain !== false && (store.columns.owner || inTime())
        return { done: { kind: 'released', certain } }
      }
      // The id is not there, and never comes back: an earlier try of ours, or time, has released it.
      if (lost) return { done: { kind: 'released', certain: false } }
      return { done: { kind: 'notHeld', owner: answer.found?.owner ?? null } }
    },
    lost() {
      lost = true
      // A second `IF EXISTS` could hit the next holder.
      return store.columns.owner
        ? { next: 'send' }
        : { unknown: 'no answer came, and this table does not say whose a lock is.' }
    },
    unknown: (why, cause) =>
      new OutcomeUnknownError(
        `Whether ${JSON.stringify(name)} was released is unknown: ${why} It expires by itself.`,
        name,
        owner,
        { cause },
      ),
  }
  return engine.settle(operation, { mayResend })
}
