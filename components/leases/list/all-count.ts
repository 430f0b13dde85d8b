import { filterStates, isWholeTable, type LeaseView, viewKey } from '../../../lib/client/view/lease-view.ts'
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

/** Whether the counts of a view, by its key, are those of this one too: their order changes none. */
export const haveSameCounts = (key: string | null, view: LeaseView): boolean =>
  key !== null && isSameBut(['sort', 'order'], key, view)

/**
 * Whether the counts by state of a view, by its key, are those of this one too. Of a whole table they are the same whichever states the
 * list shows.
 */
export const haveSameTally = (key: string | null, view: LeaseView): boolean =>
  haveSameCounts(key, view) ||
  (key !== null && isWholeTable(view) && isSameBut(['sort', 'order', 'state'], key, view))

function isSameBut(left: readonly string[], key: string, view: LeaseView): boolean {
  const rest = (of: string) =>
    JSON.stringify(JSON.parse(of), (name, value) => (left.includes(name) ? undefined : value))
  return rest(key) === rest(viewKey(view))
}
