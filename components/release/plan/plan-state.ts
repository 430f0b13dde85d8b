import type { LeaseReading } from '../../../lib/client/call/queries.ts'
import { quarantineOf } from '../../../lib/contract/leases/quarantine.ts'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'

/** Whether a plan can still be carried out, and why not. Anything but `good` locks it. */
export type PlanState = 'good' | 'expired' | 'free' | 'changed' | 'broken'

interface PlanFacts {
  plan: ReleasePlan
  /** When the page had the plan, on the monotonic clock: reads that it asked for before say nothing of it. */
  receivedAtMs: number
  /** The last read of the lease; undefined: none yet. */
  reading: LeaseReading | undefined
  expired: boolean
}

export function planState({ plan, receivedAtMs, reading, expired }: PlanFacts): PlanState {
  const since: PlanState = expired ? 'expired' : 'good'
  // By the order of asking: a read that overlaps the plan may be older though it arrives last, and the times of two servers, whose clocks
  // differ, do not say. The next read decides.
  if (reading?.askedAtMs === undefined || reading.askedAtMs < receivedAtMs) return since
  if (!reading.held) return 'free'
  const { lease } = reading.sighting
  if (lease.owner === plan.lease.owner) return since
  return quarantineOf(lease.owner, lease.value) === null ? 'changed' : 'broken'
}
