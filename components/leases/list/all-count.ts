import { filterStates, isWholeTable, type LeaseView } from '../../../lib/client/view/lease-view.ts'
import type { WatchCounts } from '../../../lib/contract/leases/watch.ts'

interface AllCount {
  /** All leases that every filter but that of states lets through. */
  all: number
  /** Those of them that are counted in no state: what befalls a lease of the lab is meant. */
  ofLab: number
}

/** How many leases the filters by state share, and how many of them none has. */
export function allCount(view: LeaseView, { total, matching, byState }: WatchCounts): AllCount {
  const counted = filterStates.reduce((sum, state) => sum + (byState[state] ?? 0), 0)
  // Of a part of the table whose rows are filtered by state, the server does not say it.
  const all = isWholeTable(view) ? total : view.states.length === 0 ? matching : counted
  return { all, ofLab: Math.max(0, all - counted) }
}
