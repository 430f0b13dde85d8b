/**
 * Time in the browser. Guarantees: a countdown runs on the page's clock from the arrival of a reply, so that no wrong wall clock moves it;
 * one that is set forward does, until the next read. It is late by the reply's way to the browser, and never early.
 * Assumes that `remainingMs` was right when the reply was written. This never decides that a lease is gone: at zero its
 * state is unknown, until a read shows it.
 */

import type { Lease, LeaseStateName } from '../../contract/leases/lease.ts'
import { isLibraryOwner, leaseState, riskShare } from '../../contract/leases/lease-state.ts'
import { pageClock } from './page-clock.ts'

/** Moments of one lease on the browser's monotonic clock, in milliseconds. */
interface LeaseClock {
  /** When Cassandra stops showing the row (a zombie: its value). null: never. */
  endsAtMs: number | null
  /** The same for the value column. */
  valueEndsAtMs: number | null
  /** The last moment at which a held lease is not at risk. null: time does not put it at risk, or no rhythm of renewals was seen. */
  riskAtMs: number | null
  /** When Cassandra was asked. */
  readAtMs: number
  /** When the owner was written. */
  writtenAtMs: number | null
}

/** A lease and the reply that it came in. */
export interface Sighting<L extends Lease = Lease> {
  lease: L
  /** The server's time when the reply was written. */
  now: string
  /** When the reply arrived, by the page's clock. */
  arrivedAtMs: number
  /** A renewal of this tenure was seen before, on another page. */
  renewed?: boolean
}

export interface Clocked<L extends Lease = Lease> {
  lease: L
  clock: LeaseClock
  /** A renewal of this tenure was seen: its version grew under one owner, before its end. */
  renewed: boolean
}

/** Two replies that differ by less than this mean the same moment: a bar is not restarted for it. */
const jitterMs = 15

/** The state at a moment: the server's rule over time, and `verifying` from zero on. */
export type StateOverTime = LeaseStateName | 'verifying'

/** Whether both replies show the same write of the same lease. */
export const isSameWrite = (a: Lease, b: Lease): boolean =>
  a.owner === b.owner && a.version === b.version && (a.version !== null || a.value === b.value)

/** Whether `after` is a later read of the same tenure: the same owner, written before the row could end. */
export const isSameTenure = (before: Lease, after: Lease): boolean =>
  before.owner !== null &&
  before.owner === after.owner &&
  before.state !== 'quarantined' &&
  (before.expiresAt === null ||
    (after.writtenAt !== null && Date.parse(after.writtenAt) < Date.parse(before.expiresAt)))

/**
 * The moments of a lease from a reply. Each reply is late by its time on the network, so that of several replies about
 * one write the earliest end is the best estimate. If a read after that end still shows the row, the estimate was
 * wrong.
 */
export function clockLease<L extends Lease>(sighting: Sighting<L>, before?: Clocked): Clocked<L> {
  const { lease, arrivedAtMs } = sighting
  const nowMs = Date.parse(sighting.now)
  const at = (instant: string) => arrivedAtMs - (nowMs - Date.parse(instant))
  // The page's clock is exact to a second or two in a suspend: an end that was counted before it is no better than a new one.
  const isKnown =
    before && isSameWrite(before.lease, lease) && !pageClock.wasSuspendedSince(before.clock.readAtMs)
  const known = isKnown ? before.clock : undefined
  const ending = (leftMs: number | null, knownMs: number | null | undefined) =>
    leftMs === null ? null : steady(arrivedAtMs + leftMs, knownMs ?? null, arrivedAtMs)
  const valueEndsAtMs = ending(lease.valueRemainingMs, known?.valueEndsAtMs)
  const endsAtMs =
    lease.owner === null && lease.state === 'zombie'
      ? valueEndsAtMs
      : ending(lease.remainingMs, known?.endsAtMs)
  const renewed =
    sighting.renewed === true ||
    (before !== undefined &&
      isSameTenure(before.lease, lease) &&
      (before.renewed || before.lease.version !== lease.version))
  return {
    lease,
    renewed,
    clock: {
      endsAtMs,
      valueEndsAtMs,
      riskAtMs:
        endsAtMs !== null && lease.ttlSeconds !== null && (renewed || isLibraryOwner(lease.owner))
          ? endsAtMs - lease.ttlSeconds * 1000 * riskShare
          : null,
      readAtMs: at(lease.read.at),
      writtenAtMs: lease.writtenAt === null ? null : at(lease.writtenAt),
    },
  }
}

function steady(endsAtMs: number, knownMs: number | null, arrivedAtMs: number): number {
  if (knownMs === null || knownMs <= arrivedAtMs) return endsAtMs
  return endsAtMs > knownMs - jitterMs ? knownMs : endsAtMs
}

/** The state of a lease at a moment of the monotonic clock. */
export function stateAt({ lease, clock, renewed }: Clocked, nowMs: number): StateOverTime {
  if (clock.endsAtMs !== null && clock.endsAtMs <= nowMs) return 'verifying'
  const left = (endMs: number | null) => (endMs === null ? null : Math.max(0, endMs - nowMs))
  return leaseState({
    owner: lease.owner,
    remainingMs: lease.owner === null ? null : left(clock.endsAtMs),
    valueRemainingMs: left(clock.valueEndsAtMs),
    ttlSeconds: lease.ttlSeconds,
    hasOwner: !isOwnerless(lease),
    renewed,
    flapping: lease.state === 'flapping',
  })
}

/** The next moment after `nowMs` at which the state may change without a new read. */
export function nextChange({ clock }: Clocked, nowMs: number): number | null {
  // A lease is at risk below the share, not at it: at `riskAtMs` itself the change is still ahead.
  const riskMs = clock.riskAtMs === null ? null : clock.riskAtMs + 1
  const moments = [clock.endsAtMs, riskMs].filter((moment) => moment !== null && moment > nowMs)
  return moments.length === 0 ? null : Math.min(...(moments as number[]))
}

/**
 * Whether the lease stands in a table without an owner column: its row is there, so it is held, and its holder, expiry and
 * TTL cannot be read. (A row without an owner in a table that has the column is a zombie.)
 */
export const isOwnerless = (lease: Pick<Lease, 'owner' | 'state'>): boolean =>
  lease.owner === null && lease.state !== 'zombie'

/** The share of the TTL that is left, from 0 to 1. Without a TTL: 1. */
export function shareLeft(endsAtMs: number | null, ttlSeconds: number | null, nowMs: number): number {
  if (endsAtMs === null || ttlSeconds === null || ttlSeconds === 0) return 1
  return Math.min(1, Math.max(0, (endsAtMs - nowMs) / (ttlSeconds * 1000)))
}
