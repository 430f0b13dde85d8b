/** What the stream of a page tells the rest of the page. Browser only. */

import { troubleStates } from '../../contract/leases/list-order.ts'
import type { WatchCounts } from '../../contract/leases/watch.ts'
import { rowKey } from '../row/row-board.ts'
import { isWholeTable, type LeaseView } from '../view/lease-view.ts'
import type { ListedLease, LiveRow } from './live-board.ts'
import type { LiveList } from './live-list.ts'

const changed = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  changed.add(listener)
  return () => changed.delete(listener)
}
const say = () => {
  for (const listener of changed) listener()
}

let shownList: LiveList | null = null
let countsAll = false
let lastRows: readonly LiveRow[] = []
const troubled = new Map<string, number>()

/** The list that the page shows: its scan and its pause stand in the strip of the shell. */
export const pageList = {
  subscribe,
  current: (): LiveList | null => shownList,
  /** Whether that list knows the counts of its whole table. */
  countsAll: (): boolean => countsAll,
  /** @returns ends it */
  show: (list: LiveList, view: LeaseView): (() => void) => {
    shownList = list
    countsAll = isWholeTable(view)
    say()
    return () => {
      lastRows = list.shown().rows
      if (shownList === list) {
        shownList = null
        countsAll = false
      }
      say()
    }
  },
  /** A lease as the list showed it that was left: its own page begins with that. */
  seenBefore: (name: string, table: string): { lease: ListedLease; atMs: number } | undefined => {
    const row = lastRows.find(({ key, goneAtMs }) => key === rowKey({ table, name }) && goneAtMs === null)
    if (row === undefined) return undefined
    const { lease, clock, renewed, reading } = row
    const left = (endsAtMs: number | null) => (endsAtMs === null ? null : endsAtMs - reading.atMs)
    const remaining = {
      remainingMs: lease.remainingMs === null ? null : left(clock.endsAtMs),
      valueRemainingMs: lease.valueRemainingMs === null ? null : left(clock.valueEndsAtMs),
    }
    // Only a watch knows when a lease stops flapping.
    const state = lease.state === 'flapping' ? 'held' : lease.state
    return { lease: { ...lease, ...remaining, state, renewed }, atMs: reading.atMs }
  },
}

/** How many leases of a table need attention, as far as any stream of this tab has said. */
export const attention = {
  subscribe,
  count: (table: string | undefined): number | null => troubled.get(table ?? '') ?? null,
  /** Counts of a view that leaves leases out by name, owner or text say nothing of the table. */
  note: (view: LeaseView, { byState }: WatchCounts): void => {
    if (!isWholeTable(view)) return
    const count = troubleStates.reduce((sum, state) => sum + (byState[state] ?? 0), 0)
    if (troubled.get(view.table ?? '') === count) return
    troubled.set(view.table ?? '', count)
    say()
  },
}
