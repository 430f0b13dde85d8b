/**
 * What a page knows of one lease, from its stream and from single reads. Pure.
 *
 * That a lease is free is said when a SERIAL read has found no row, and not because its row is in the stream no more: until
 * that read has come, the row is `verifying`.
 */
import type { Lease } from '../../contract/leases/lease.ts'
import { followed, type LeaseReading } from '../call/queries.ts'
import type { LiveRow } from './live-board.ts'
import type { FreeRead } from './live-list.ts'

export type FreeReading = Extract<LeaseReading, { held: false }>

export interface OneLease {
  /** As it is shown. null: it is free, or nothing is known yet. */
  row: LiveRow | null
  /** null: it is not known to be free. */
  free: FreeReading | null
  /** The row as it was seen last, until it went. */
  was: Lease | null
  /** Of a lease that is free: when a read showed `was` last, on the monotonic clock. null: none did, or the lease is not free. */
  lastSeenAtMs: number | null
  /** The row as it was last seen under an owner of its own, not under the mark of a break. */
  owned: Lease | null
}

export const unknownLease: OneLease = {
  row: null,
  free: null,
  was: null,
  lastSeenAtMs: null,
  owned: null,
}

interface LeaseNews {
  /** What the stream shows now; undefined: no row. */
  row: LiveRow | undefined
  /** What the stream says of a lease without a row. */
  free: FreeRead | null
  /** A read of the lease alone; undefined: there was none. */
  reading: LeaseReading | undefined
}

/** @returns `before` itself if nothing is new */
export function following(before: OneLease, { row, free, reading }: LeaseNews): OneLease {
  if (row !== undefined && row.goneAtMs === null) {
    if (row === before.row) return before
    const owned = row.lease.state === 'quarantined' ? before.owned : row.lease
    return { row, free: null, was: row.lease, lastSeenAtMs: null, owned }
  }
  const read = freeReading(before, free, reading)
  if (read === null) return missing(before)
  if (before.free !== null && read.readAtMs <= before.free.readAtMs) return before
  if (before.free !== null) return { ...before, free: followed(before.free, read) as FreeReading }
  const lastSeenAtMs = before.row?.reading.atMs ?? null
  return { ...before, row: null, free: sinceSeen(read, lastSeenAtMs), lastSeenAtMs }
}

/** A read that the page made before it saw the row may have begun another time without a holder. */
function sinceSeen(read: FreeReading, lastSeenAtMs: number | null): FreeReading {
  if (lastSeenAtMs === null || read.since === undefined || read.since.readAtMs > lastSeenAtMs) return read
  const { since: _, ...alone } = read
  return alone
}

/** The last read that found no row. What the stream says is later than the row that it showed before; a single read may not be. */
function freeReading(
  { row }: OneLease,
  free: FreeRead | null,
  reading: LeaseReading | undefined,
): FreeReading | null {
  const streamed: FreeReading | null =
    free === null ? null : { held: false, readAtMs: free.atMs, now: free.at }
  if (reading === undefined || reading.held) return streamed
  if (streamed !== null) return reading.readAtMs > streamed.readAtMs ? reading : streamed
  return row === null || reading.readAtMs > row.reading.atMs ? reading : null
}

/** Its row is in the stream no more, and no read says why. */
function missing(before: OneLease): OneLease {
  const { row } = before
  return row === null || row.state === 'verifying'
    ? before
    : { ...before, row: { ...row, state: 'verifying' } }
}
