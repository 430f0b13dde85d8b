/**
 * Renewing a lease, answers lost included.
 *
 * Guarantees: a tenure that comes back as *renewed* is backed by a row that lives longer than its new deadline, also when
 * an earlier renewal of the same tenure is applied after it (`open-tries.ts`). An answer that arrives after the old
 * deadline is no renewal. Every column is set, or the value would die first.
 * Does not guarantee: that a renewal which ended in OutcomeUnknownError did not take effect. The tenure then still
 * ends at its old deadline. That a value which is set back to an earlier one (A, B, A) stays: a try of the first update
 * that lands late meets its condition again, and sets B, until the next renewal.
 * Assumes: `lease-time.ts`'s assumptions on clocks; that all renewals of one tenure share its `tries`.
 */
import { contentionLimitMs, deadlineOf, untilDeadlineMs } from '../time/index.ts'
import type { LeaseContext } from './context.ts'
import type { Resending } from './engine/outcome-engine.ts'
import { InvalidArgumentError, isLeaseholdError, OutcomeUnknownError } from './errors.ts'
import { OpenTries, type OpenTry } from './open-tries.ts'
import type { Tenure } from './tenure.ts'

export type RenewOutcome =
  | { kind: 'renewed'; tenure: Tenure }
  /** `owner`: who holds it now, if the store said so. `why`: the store said no, or the deadline passed first. */
  | { kind: 'lost'; why: 'not-holder' | 'deadline'; owner: string | null }

export interface Renewal extends Resending {
  /** The next value; left out: unchanged. */
  readonly value?: string | null | undefined
  /**
   * Instead of `value`: leaves the value that the row has. For a caller that does not know the value of its own, because other
   * clients write the same owner's: the renewal never brings back a value from before one of theirs.
   */
  readonly keepsFoundValue?: boolean | undefined
  /** Called with each failure of a send, while the renewal goes on: its end comes with the deadline, too late to tell the cause. */
  readonly onFailure?: ((thrown: unknown) => void) | undefined
  /**
   * A store that cannot be reached ends the renewal with StoreUnavailableError, unless an answer was lost before. Left out: it is
   * tried again until the deadline.
   */
  readonly failsAtOnce?: boolean | undefined
  /** For acquisitions that were found out late, and on which no caller relies yet. */
  readonly evenIfPast?: boolean | undefined
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
  const step = { name: 'renew', lease: tenure.name } as const
  return context.telemetry.step(step, () => renewTenure(context, tenure, renewal))
}

async function renewTenure(context: LeaseContext, tenure: Tenure, renewal: Renewal): Promise<RenewOutcome> {
  const { store, clock, maxClockSkewMs, engine } = context
  if (!store.columns.owner) throw new InvalidArgumentError('A table without an owner column cannot renew.')
  const { name, owner, ttlSeconds, tries, deadline } = tenure
  const { value = tenure.value, keepsFoundValue = false, evenIfPast = false, failsAtOnce = false } = renewal
  const { mayResend, onFailure } = renewal
  const contentionMs = contentionLimitMs[store.paxosVariant]
  const leftMs = () => untilDeadlineMs(deadline, clock.now())
  // 1. Past the deadline there is nothing to renew, whatever Cassandra shows.
  const pastDeadline: RenewOutcome = { kind: 'lost', why: 'deadline', owner: null }
  if (leftMs() <= 0 && !evenIfPast) return pastDeadline
  let knownValue = tenure.value
  let mine: OpenTry | undefined

  return engine.settle<RenewOutcome>(
    {
      name: 'renew',
      resolution(outcome) {
        if (outcome.kind === 'renewed') return 'applied'
        return outcome.why === 'not-holder' ? 'superseded' : 'open'
      },
      async send() {
        const sent = clock.now()
        tries.forgetOld(sent)
        mine = tries.begin(sent)
        const started = mine
        const next = keepsFoundValue ? knownValue : value
        // A coordinator that neither answers nor closes its connection must not take all the time that is left.
        const giveUpAfterMs = leftMs() > 0 ? Math.max(leastPatienceMs, leftMs() / 3) : undefined
        try {
          // 2. IF owner AND value: a renewal that was held back and lands late brings back no older value, as a rule.
          const answer = await store.renew({
            name,
            owner,
            value: next,
            ttlSeconds,
            knownValue,
            giveUpAfterMs,
          })
          tries.end(started)
          if (answer.applied) tries.applied(clock.now())
          if (leftMs() <= 0 && !evenIfPast) return { done: pastDeadline }
          if (answer.applied) {
            // 3. Not from this send, if an earlier try may still be applied after it: one of ours, or of a server between us.
            const from = OpenTries.countsFrom(started, contentionMs, store.repeats)
            const renewed = deadlineOf(from, ttlSeconds, maxClockSkewMs)
            const later = untilDeadlineMs(renewed, clock.now()) > leftMs() ? renewed : deadline
            return { done: { kind: 'renewed', tenure: { ...tenure, value: next, deadline: later } } }
          }
          const found = answer.found
          if (found?.owner !== owner)
            return { done: { kind: 'lost', why: 'not-holder', owner: found?.owner ?? null } }
          // 4. Still ours, with another value: set by a try whose answer was lost, by a late one, or by a client that
          // shares our owner id. Which of them, and when, cannot be known: renew once more from it, and time that.
          knownValue = found.value ?? null
          return { next: 'send' }
        } catch (thrown) {
          if (!isLeaseholdError(thrown, 'statement-unknown')) tries.end(started)
          onFailure?.(thrown)
          throw thrown
        }
      },
      // 5. Not answered: send again. Owner and value are conditions that only our own writes can meet.
      lost(error) {
        if (mine !== undefined) tries.miss(mine)
        // Given up by the server itself: the next statement on this row settles it before it is applied.
        if (error.finality === 'read' && mine !== undefined) tries.end(mine)
        return { next: 'send' }
      },
      ridesOutUnavailable: !failsAtOnce,
      unknown: (why, cause) =>
        new OutcomeUnknownError(
          `Whether ${JSON.stringify(name)} was renewed is unknown: ${why} It is held until its deadline.`,
          name,
          owner,
          { cause },
        ),
    },
    { atMostMs: evenIfPast ? undefined : Math.max(leftMs(), 1), mayResend },
  )
}
