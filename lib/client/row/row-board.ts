/**
 * Rows as they are shown. Pure: computed from each reply and each moment.
 *
 * A row is never said to be gone before a read of this row alone has said so: that its time is up makes it `verifying`,
 * no more.
 */
import type { Lease } from '../../contract/leases/lease.ts'
import {
  type Clocked,
  clockLease,
  isSameWrite,
  nextChange,
  type Sighting,
  type StateOverTime,
  stateAt,
} from '../time/countdown.ts'

export type ShownState = StateOverTime | 'gone'

export interface Row<L extends Lease = Lease> extends Clocked<L> {
  key: string
  state: ShownState
  /** When a read found the lease free, on the monotonic clock. */
  goneAtMs: number | null
  /** When a row that is gone may leave the list: it stays for a while after this page learned that, however late. */
  leavesAtMs: number | null
  /** In the window that the server shows. Otherwise the row stays until it may leave. */
  listed: boolean
}

/** How long a row says that it is gone before it leaves the list. */
export const goneStaysMs = 5000
/** A lease read with no more than this left, after its zero, is still the one that is ending: see cassandra's `now()`. */
const edgeMs = 1100

export const rowKey = (lease: { table: string; name: string }): string => `${lease.table}\n${lease.name}`

const asListed = <L extends Lease>(row: Row<L>): Row<L> => (row.listed ? row : { ...row, listed: true })

/** A row after a read of it that is later than all that is known. */
export function nextRow<L extends Lease>(sighting: Sighting<L>, before: Row<L> | undefined): Row<L> {
  // What comes after a free lease is another tenure.
  const clocked = clockLease(sighting, before?.goneAtMs === null ? before : undefined)
  if (before && isEnding(clocked, before, sighting.arrivedAtMs)) return asListed(before)
  return {
    ...clocked,
    key: rowKey(sighting.lease),
    state: stateAt(clocked, sighting.arrivedAtMs),
    goneAtMs: null,
    leavesAtMs: null,
    listed: true,
  }
}

/** Still shown at the very edge of its end: the read was a moment early. */
const isEnding = (next: Clocked, before: Row, arrivedAtMs: number): boolean =>
  before.state === 'verifying' &&
  before.clock.endsAtMs !== null &&
  before.clock.endsAtMs <= arrivedAtMs &&
  isSameWrite(before.lease, next.lease) &&
  next.clock.endsAtMs !== null &&
  next.clock.endsAtMs - arrivedAtMs <= edgeMs

/** The rows at a later moment. The same array when nothing changes. */
export function atTime<R extends Row>(rows: readonly R[], nowMs: number, hold: boolean): readonly R[] {
  let changed = false
  const next: R[] = []
  for (const row of rows) {
    if (row.leavesAtMs !== null) {
      if (!hold && nowMs >= row.leavesAtMs) changed = true
      else next.push(row)
      continue
    }
    const state = row.state === 'verifying' ? 'verifying' : stateAt(row, nowMs)
    changed ||= state !== row.state
    next.push(state === row.state ? row : { ...row, state })
  }
  return changed ? next : rows
}

/** The next moment at which `atTime` may change something. */
export function nextMoment<L extends Lease>(rows: readonly Row<L>[], nowMs: number): number | null {
  let next: number | null = null
  for (const row of rows) {
    const moment = row.leavesAtMs ?? (row.state === 'verifying' ? null : nextChange(row, nowMs))
    if (moment !== null && moment > nowMs && (next === null || moment < next)) next = moment
  }
  return next
}
