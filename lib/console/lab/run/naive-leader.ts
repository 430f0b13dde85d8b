/**
 * A leader that does not look at its deadline, to show what the deadline is for.
 *
 * The library has taken the leadership away at the deadline, and renews no more. This leader renews by itself, as it always did, and
 * stops only when Cassandra refuses a renewal. Between the row’s expiry and that refusal another candidate may lead: two believe.
 */
import { isLeaseholdError, type LeaseStore } from 'leasehold/lease'
import { type Timer, tenureMs } from 'leasehold/time'

interface NaiveLeader {
  readonly name: string
  readonly owner: string
  readonly value: string | null
  readonly ttlSeconds: number
  readonly maxClockSkewMs: number
  readonly store: Pick<LeaseStore, 'renew' | 'release'>
  readonly time: Timer
  readonly looksAtDeadline: () => boolean
  /** A renewal was applied: so much is left until the deadline, in milliseconds. */
  renewed(remainingMs: number): void
  readonly signal: AbortSignal
}

const lookEveryMs = 200

/** @returns why it stopped: Cassandra refused a renewal, or the check is on again */
export async function leadOn(leader: NaiveLeader): Promise<'not-holder' | 'deadline'> {
  const { name, owner, value, ttlSeconds, store, time, looksAtDeadline, signal } = leader
  const windowMs = tenureMs(ttlSeconds, leader.maxClockSkewMs)
  // The renewal that is overdue is not the first thing that a program gets to after a stall.
  let waitMs = windowMs / 3
  while (!signal.aborted) {
    for (; waitMs > 0 && !looksAtDeadline() && !signal.aborted; waitMs -= lookEveryMs)
      await time.sleep(Math.min(waitMs, lookEveryMs), signal)
    if (looksAtDeadline() || signal.aborted) return 'deadline'
    try {
      const giveUpAfterMs = windowMs / 3
      const answer = await store.renew({ name, owner, value, knownValue: value, ttlSeconds, giveUpAfterMs })
      if (!answer.applied) return 'not-holder'
      leader.renewed(windowMs)
    } catch (thrown) {
      if (!isLeaseholdError(thrown)) throw thrown
    }
    waitMs = windowMs / 3
  }
  return 'deadline'
}
