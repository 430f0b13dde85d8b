import type { LeaseCells } from 'leasehold/lease'
import { expirySeconds, type Moment, writtenTtlSeconds } from 'leasehold/time'
import type { LeaseStateName } from '../../../contract/leases/lease.ts'
import { leaseState, riskShare } from '../../../contract/leases/lease-state.ts'

/** One read of a row: by a scan, or alone at SERIAL. */
export interface Reading {
  readonly name: string
  /** null: a SERIAL read found no row. A scan cannot say that. */
  readonly cells: LeaseCells | null
  readonly read: ReadFacts
  /** The earliest time of the coordinator that is known of the statement: the second of its TTLs was fixed before. */
  readonly earliestServerMs: number
}

/** Rows of one statement share them. */
export interface ReadFacts {
  readonly level: 'SERIAL' | 'QUORUM'
  readonly sent: Moment
  readonly at: Moment
  /** The coordinator's clock, as near to `at` as is known. */
  readonly serverNowMs: number
}

/** What is known of one lease. A change makes another object, so that a list can find the old one's place. */
export interface WatchedRow {
  readonly name: string
  readonly owner: string | null
  readonly value: string | null
  readonly version: bigint | null
  readonly expiresAtMs: number | null
  readonly valueExpiresAtMs: number | null
  readonly ttlSeconds: number | null
  readonly state: LeaseStateName
  /** Since when the owner holds it, by the coordinator's clock; null: since before it was watched. */
  readonly heldSinceMs: number | null
  readonly renewed: boolean
  /** How often it changed hands lately, and until when that is too often: hand-overs.ts. */
  readonly handOvers: number
  readonly flapsUntilMs: number | null
  /** The last read that showed this. A read that shows the same changes nothing else. */
  read: ReadFacts
  /** The last scan that showed the row. */
  scan: number
}

/** What the cells say, before anything that was known. */
export type RowFacts = Pick<
  WatchedRow,
  'owner' | 'value' | 'version' | 'expiresAtMs' | 'valueExpiresAtMs' | 'ttlSeconds'
>

/** Expiries of one write that differ by less were read too high by one of two reads, and are not two. */
const sameExpiryWithinMs = 3_000

/** @param known of the same write, the smallest expiry that was read is the right one: `now()` comes late, never early */
export function factsOf(
  { cells, earliestServerMs }: Reading & { cells: LeaseCells },
  known?: RowFacts,
): RowFacts {
  const { owner, value, ownerWritetime: version, ownerTtlSeconds, valueTtlSeconds } = cells
  const expiryMs = (ttl: number | null) => (ttl === null ? null : expirySeconds(earliestServerMs, ttl) * 1000)
  const isSame = known !== undefined && known.version === version
  let expiresAtMs = expiryMs(ownerTtlSeconds)
  if (isSame && expiresAtMs !== null && known.expiresAtMs !== null)
    expiresAtMs = Math.min(expiresAtMs, known.expiresAtMs)
  let valueExpiresAtMs = expiryMs(valueTtlSeconds)
  // One write: what corrects the owner's expiry corrects the value's.
  if (valueTtlSeconds !== null && valueTtlSeconds === ownerTtlSeconds) valueExpiresAtMs = expiresAtMs
  else if (isSame && known.value === value && valueExpiresAtMs !== null && known.valueExpiresAtMs !== null) {
    const higherMs = valueExpiresAtMs - known.valueExpiresAtMs
    if (higherMs > 0 && higherMs < sameExpiryWithinMs) valueExpiresAtMs = known.valueExpiresAtMs
  }
  const ttlSeconds =
    expiresAtMs === null || version === null ? null : writtenTtlSeconds(expiresAtMs / 1000, version)
  return { owner, value, version, expiresAtMs, valueExpiresAtMs, ttlSeconds }
}

export const sameFacts = (one: RowFacts, other: RowFacts): boolean =>
  one.version === other.version &&
  one.owner === other.owner &&
  one.value === other.value &&
  one.expiresAtMs === other.expiresAtMs &&
  one.valueExpiresAtMs === other.valueExpiresAtMs

/**
 * Whether a statement that is dated now may leave the row as it is, although Cassandra answers that it was applied.
 * @param nowMs by the monotonic clock
 */
export const isDatedAhead = (
  { version, read }: Pick<WatchedRow, 'version' | 'read'>,
  nowMs: number,
): boolean => version !== null && Number(version / 1000n) > read.serverNowMs + nowMs - read.at.monotonicMs

type Timed = RowFacts & Pick<WatchedRow, 'renewed' | 'flapsUntilMs' | 'read'>

const leftMs = (atMs: number | null, { serverNowMs, at }: ReadFacts, nowMs: number): number | null =>
  atMs === null ? null : atMs - serverNowMs - (nowMs - at.monotonicMs)

/** @param nowMs by the monotonic clock */
export const isFlapping = ({ flapsUntilMs }: Pick<WatchedRow, 'flapsUntilMs'>, nowMs: number): boolean =>
  flapsUntilMs !== null && flapsUntilMs > nowMs

/** @param nowMs by the monotonic clock */
export const stateOf = (row: Timed, hasOwner: boolean, nowMs: number): LeaseStateName =>
  leaseState({
    hasOwner,
    owner: row.owner,
    remainingMs: leftMs(row.expiresAtMs, row.read, nowMs),
    valueRemainingMs: leftMs(row.valueExpiresAtMs, row.read, nowMs),
    ttlSeconds: row.ttlSeconds,
    renewed: row.renewed,
    flapping: isFlapping(row, nowMs),
  })

/** When a part of the row ends, by the monotonic clock, in milliseconds: one of the past too. null: nothing ends. */
export function endOf({ expiresAtMs, valueExpiresAtMs, read }: Timed): number | null {
  const ends = [expiresAtMs, valueExpiresAtMs].filter((end) => end !== null)
  return ends.length === 0 ? null : Math.min(...ends) - read.serverNowMs + read.at.monotonicMs
}

/** When the state may change, or the row may end, by the monotonic clock. null: neither. */
export function nextMoment(row: Timed, nowMs: number): number | null {
  const next = nextOfTime(row, nowMs)
  const { flapsUntilMs } = row
  if (flapsUntilMs === null || flapsUntilMs <= nowMs) return next
  return next === null ? flapsUntilMs : Math.min(next, flapsUntilMs)
}

/** Of its time to live alone. */
function nextOfTime(row: Timed, nowMs: number): number | null {
  const { expiresAtMs, ttlSeconds, read } = row
  const end = endOf(row)
  if (expiresAtMs === null || ttlSeconds === null) return end
  const risk = expiresAtMs - ttlSeconds * 1000 * riskShare - read.serverNowMs + read.at.monotonicMs
  // Below the share, not at it.
  return risk >= nowMs && (end === null || risk < end) ? risk + 1 : end
}

/** The last millisecond that ISO 8601 writes with four digits of a year. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Since when a new owner holds: the version, unless it is no instant. A client may write any number as a timestamp. */
export function sinceMs({ version }: RowFacts, { read }: Reading): number {
  const ms = version === null ? read.at.wallMs : Number(version / 1000n)
  return ms >= 0 && ms <= lastInstantMs ? ms : read.at.wallMs
}
