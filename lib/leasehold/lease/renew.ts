/**
 * Renewing a lease, answers lost included.
 *
 * Guarantees: a tenure that comes back as *renewed* is backed by a row that lives longer than its new deadline.
 * An answer that arrives after the old deadline is no renewal. Every column is set, or the value would die first.
 * Does not guarantee: that a renewal which ended in OutcomeUnknownError did not take effect. The tenure then still
 * ends at its old deadline. That a value which is set back to an earlier one (A, B, A) stays: a try of the first update
 * that lands late meets its condition again, and sets B, until the next renewal.
 * Assumes: `lease-time.ts`'s assumptions on clocks.
 */
import { deadlineOf, untilDeadlineMs } from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import { InvalidArgumentError, isLeaseholdError, OutcomeUnknownError } from './errors.ts'
import { attempt, Pursuit } from './pursuit.ts'
import type { Tenure } from './tenure.ts'

export type RenewOutcome =
  | { kind: 'renewed'; tenure: Tenure }
  /** `owner`: who holds it now, if the store said so. `why`: the store said no, or the deadline passed first. */
  | { kind: 'lost'; why: 'not-holder' | 'deadline'; owner: string | null }

export interface Renewal {
  /** The next value; left out: unchanged. */
  readonly value?: string | null
  /** For acquisitions that were found out late, and are relied on by nobody yet. */
  readonly evenIfPast?: boolean
}

/** The least time that an answer is waited for, in milliseconds. */
const leastPatienceMs = 1_000

/**
 * The TTL of a tenure never changes: a renewal with a shorter one that is held back and lands late would cut a longer
 * one that was answered meanwhile.
 */
export async function renew(
  context: LeaseContext,
  tenure: Tenure,
  renewal: Renewal = {},
): Promise<RenewOutcome> {
  const { store, clock, maxClockSkewMs } = context
  if (!store.columns.owner) throw new InvalidArgumentError('A table without an owner column cannot renew.')
  const { name, owner, ttlSeconds } = tenure
  const value = renewal.value === undefined ? tenure.value : renewal.value
  const leftMs = untilDeadlineMs(tenure.deadline, clock.now())
  // 1. Past the deadline there is nothing to renew, whatever Cassandra shows.
  if (leftMs <= 0 && !renewal.evenIfPast) return { kind: 'lost', why: 'deadline', owner: null }
  const pursuit = new Pursuit(
    context,
    renewal.evenIfPast ? context.settleMs : Math.min(leftMs, context.settleMs),
  )
  let knownValue = tenure.value
  let lost: unknown

  do {
    // 2. IF owner AND value: a renewal that was held back and lands late brings back no older value, as a rule.
    const sent = clock.now()
    // A coordinator that neither answers nor closes its connection must not take all the time that is left.
    const nowLeftMs = untilDeadlineMs(tenure.deadline, sent)
    const patience = nowLeftMs > 0 ? { giveUpAfterMs: Math.max(leastPatienceMs, nowLeftMs / 3) } : {}
    try {
      const answer = await attempt(() =>
        store.renew({ name, owner, value, ttlSeconds, knownValue, ...patience }),
      )
      const late = !renewal.evenIfPast && untilDeadlineMs(tenure.deadline, clock.now()) <= 0
      // 3. Not answered: send again. Owner and value are conditions that only our own writes can meet.
      if (answer instanceof Error) lost = answer
      else if (late) return { kind: 'lost', why: 'deadline', owner: null }
      else if (answer.applied) {
        const deadline = deadlineOf(sent, ttlSeconds, maxClockSkewMs)
        return { kind: 'renewed', tenure: { ...tenure, value, deadline } }
      } else if (answer.found?.owner !== owner)
        return { kind: 'lost', why: 'not-holder', owner: answer.found?.owner ?? null }
      // 4. Still ours, with another value: set by a try whose answer was lost, by a late one, or by a client that
      // shares our owner id. Which of them, and when, cannot be told: renew once more from it, and time that.
      else knownValue = answer.found.value ?? null
    } catch (thrown) {
      if (lost === undefined && !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
      lost ??= thrown
    }
  } while (await pursuit.again())

  throw new OutcomeUnknownError(
    `Whether ${JSON.stringify(name)} was renewed is unknown: no answer came. It is held until its deadline.`,
    name,
    owner,
    { cause: lost },
  )
}
