import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { clockLease } from '../../../lib/client/time/countdown.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'

/** Whether a plan can still be carried out, and why not. Anything but `good` locks it. */
export type PlanState = 'good' | 'expired' | 'free' | 'changed' | 'broken'

interface PlanFacts {
  plan: ReleasePlan
  /** When the plan arrived, on the monotonic clock: older reads of the lease say nothing of it. */
  arrivedAtMs: number
  /** The last read of the lease; undefined: none yet. */
  reading: LeaseReading | undefined
  expired: boolean
}

export function planState({ plan, arrivedAtMs, reading, expired }: PlanFacts): PlanState {
  // The server dates both, where it says so: of two answers the one that arrived last may be the older one.
  const isAfter = ({ now, readAtMs }: { now: string | undefined; readAtMs: number }) =>
    now === undefined ? readAtMs > arrivedAtMs : Date.parse(now) > Date.parse(plan.now)
  const since: PlanState = expired ? 'expired' : 'good'
  if (reading === undefined) return since
  if (!reading.held) return isAfter(reading) ? 'free' : since
  const { lease, clock } = clockLease(reading.sighting)
  if (lease.owner === plan.lease.owner || clock.readAtMs <= arrivedAtMs) return since
  return quarantineOf(lease.owner, lease.value) === null ? 'changed' : 'broken'
}
