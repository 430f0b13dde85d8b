import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { modeLooks } from '../modes/mode-look.ts'

/** Whether a forced release ended, or may have ended, the tenure that was planned: not another owner's, nor one before the plan. */
export const isOfTenure = (planned: Lease | undefined, release: Release): boolean =>
  planned !== undefined &&
  release.planned.owner === planned.owner &&
  (release.steps.at(-1)?.at ?? release.now) > planned.read.at

/** How a lease became free after it was planned, as far as that is known. @param release the last break or kill of the lease */
export function howFreed(planned: Lease | undefined, release: Release | undefined): string {
  if (release === undefined || !isOfTenure(planned, release))
    return 'it expired or was released after you looked.'
  const { mode, outcome, plannedBy } = release
  if (outcome === 'released') return `${plannedBy} killed it after you looked.`
  if (outcome === 'broken') return `${plannedBy} broke it after you looked, and its quarantine is over.`
  const noun = modeLooks[mode ?? 'kill'].noun.toLowerCase()
  return `it expired, was released, or ended by the ${noun} that ${plannedBy} asked for.`
}
