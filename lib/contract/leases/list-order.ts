/** The orders of a list of leases. Without zod: pages need them before they need schemas. */
import type { LeaseStateName } from './lease.ts'

/** What rows are ordered by. `trouble`: the worst state first, then the least time left, then the name. */
export const leaseSorts = ['trouble', 'left', 'name', 'owner', 'held'] as const
export type LeaseSort = (typeof leaseSorts)[number]

/**
 * The states that a person should look at, the worst first: all but *held*. At risk is the one that a person may still do
 * something about in time.
 */
export const troubleStates = [
  'risk',
  'zombie',
  'flapping',
  'partial',
  'eternal',
  'quarantined',
] as const satisfies readonly LeaseStateName[]
