/**
 * The rows of one page as they are shown. Pure: computes them from each reply and each moment.
 *
 * A row is never said to be gone before a read of this row alone has said so. That a row is missing in a later page,
 * or that its time is up, makes it `verifying`, no more. Rows keep their places while they are held (a pointer is over
 * them): new rows go below, rows that are gone stay.
 */
import type { Lease } from '../contract/leases/lease.ts'
import {
  type Clocked,
  clockLease,
  isSameWrite,
  nextChange,
  type Sighting,
  type StateOverTime,
  stateAt,
} from './countdown.ts'

export type ShownState = StateOverTime | 'gone'

export interface Row<L extends Lease = Lease> extends Clocked<L> {
  key: string
  state: ShownState
  /** When a read found the lease free, on the monotonic clock. */
  goneAtMs: number | null
  /** In the last page. Otherwise the row is being read, or stays until it may leave. */
  listed: boolean
}

/** How long a row says that it is gone before it leaves the list. */
export const goneStaysMs = 5000
/** A lease read with no more than this left, after its zero, is still the one that is ending: see cassandra's `now()`. */
const edgeMs = 1100

export const rowKey = (lease: { table: string; name: string }): string => `${lease.table}\n${lease.name}`

function toRow<L extends Lease>(sighting: Sighting<L>, before: Row<L> | undefined): Row<L> {
  // What comes after a free lease is another tenure.
  const clocked = clockLease(sighting, before?.goneAtMs === null ? before : undefined)
  if (before && (isOlder(clocked, before) || isEnding(clocked, before, sighting.arrivedAtMs)))
    return before.listed ? before : { ...before, listed: true }
  return {
    ...clocked,
    key: rowKey(sighting.lease),
    state: stateAt(clocked, sighting.arrivedAtMs),
    goneAtMs: null,
    listed: true,
  }
}

/** An answer that is older than the known one: it arrived late, and is ignored. */
const isOlder = (next: Clocked, before: Row): boolean =>
  next.clock.readAtMs < Math.max(before.clock.readAtMs, before.goneAtMs ?? Number.NEGATIVE_INFINITY)

/** Still shown at the very edge of its end: the read was a moment early. */
const isEnding = (next: Clocked, before: Row, arrivedAtMs: number): boolean =>
  before.state === 'verifying' &&
  before.clock.endsAtMs !== null &&
  before.clock.endsAtMs <= arrivedAtMs &&
  isSameWrite(before.lease, next.lease) &&
  next.clock.endsAtMs !== null &&
  next.clock.endsAtMs - arrivedAtMs <= edgeMs

/** After a page of leases. `hold`: no row that is shown may change its place. */
export function withPage<L extends Lease>(
  rows: readonly Row<L>[],
  page: readonly Sighting<L>[],
  hold: boolean,
): Row<L>[] {
  const known = new Map(rows.map((row) => [row.key, row]))
  const listed = page.map((sighting) => toRow(sighting, known.get(rowKey(sighting.lease))))
  const fresh = new Map(listed.map((row) => [row.key, row]))
  const missing = (row: Row<L>): Row<L> => ({
    ...row,
    listed: false,
    state: row.state === 'gone' ? 'gone' : 'verifying',
  })
  if (hold)
    return [
      ...rows.map((row) => fresh.get(row.key) ?? missing(row)),
      ...listed.filter((row) => !known.has(row.key)),
    ]

  // The page's order, with each missing row after the one that it stood below.
  const result = [...listed]
  let place = 0
  for (const row of rows) {
    if (fresh.has(row.key)) place = result.findIndex(({ key }) => key === row.key) + 1
    else result.splice(place++, 0, missing(row))
  }
  return result
}

/** After a read of one lease that found it. */
export function withLease<L extends Lease>(rows: readonly Row<L>[], sighting: Sighting<L>): Row<L>[] {
  const key = rowKey(sighting.lease)
  return rows.map((row) => (row.key === key ? { ...toRow(sighting, row), listed: row.listed } : row))
}

/** After a read that found the lease free; it arrived at `readAtMs`. */
export function withoutHolder<L extends Lease>(
  rows: readonly Row<L>[],
  key: string,
  readAtMs: number,
): Row<L>[] {
  return rows.map((row) =>
    row.key === key && row.goneAtMs === null && row.clock.readAtMs < readAtMs
      ? { ...row, state: 'gone', goneAtMs: readAtMs }
      : row,
  )
}

/** A row that was read as held although the page lacks it stands on another page: it leaves this one. */
export const withoutMoved = <L extends Lease>(rows: readonly Row<L>[]): Row<L>[] =>
  rows.filter((row) => row.listed || row.state === 'verifying' || row.state === 'gone')

/** The rows at a later moment. The same array when nothing changes. */
export function atTime<L extends Lease>(
  rows: readonly Row<L>[],
  nowMs: number,
  hold: boolean,
): readonly Row<L>[] {
  let changed = false
  const next: Row<L>[] = []
  for (const row of rows) {
    if (row.goneAtMs !== null) {
      if (!hold && nowMs >= row.goneAtMs + goneStaysMs) changed = true
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
    const moment =
      row.goneAtMs !== null
        ? row.goneAtMs + goneStaysMs
        : row.state === 'verifying'
          ? null
          : nextChange(row, nowMs)
    if (moment !== null && moment > nowMs && (next === null || moment < next)) next = moment
  }
  return next
}
