/** Since when a holder holds a lease, by the history. Pure. */
import { beginningKinds, endingKinds } from '../../../lib/contract/leases/event-kinds.ts'
import type { LeaseHistory } from '../../../lib/contract/leases/history.ts'
import { isLibraryOwner } from '../../../lib/contract/leases/lease-state.ts'

/**
 * By the newest event that begins or ends a tenure: in epoch milliseconds. null: it is not of this holder's tenure, or what
 * followed was not observed, and the owner may have come back. One of the library's is used once.
 */
export function heldSinceIn(
  { events, before, notObserved }: Pick<LeaseHistory, 'events' | 'before' | 'notObserved'>,
  owner: string | null,
): number | null {
  const newest = [...events, before].find(
    (event) => event !== null && (beginningKinds.includes(event.kind) || endingKinds.includes(event.kind)),
  )
  if (newest == null || owner === null || newest.owner !== owner || !beginningKinds.includes(newest.kind))
    return null
  const isCertain =
    isLibraryOwner(owner) || notObserved.every(({ what, to }) => what === 'renewals' || to <= newest.at)
  return isCertain ? Date.parse(newest.at) : null
}
