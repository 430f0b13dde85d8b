/**
 * What a change of a row says of the lease: pure.
 *
 * Guarantees: nothing is said more exactly than it was seen. A beginning lies between the last look that showed another owner, or
 * none, and its version; an end between the last read that showed the owner and the first that did not.
 * Does not guarantee: the difference between a release and a deletion by another client; nor that an owner which ended and
 * came back between two reads, under the same name, is two tenures.
 * Assumes: the clocks of the coordinators and of this process differ by less than a second or so. They are only shown.
 */
import { eventId, type LeaseEvent, type LeaseEventKind } from 'leasehold/history'
import { isLibraryOwner } from '../../../contract/leases/lease-state.ts'
import { quarantineOf } from '../../../contract/leases/quarantine.ts'
import type { WatchedRow } from '../../watch/rows/watched-row.ts'

/** A lease that was last read so shortly before its expiry, and found gone after it, expired. */
const expiredWithinMs = 3_000

export interface Seen {
  readonly hasOwner: boolean
  /** When the scan began before which a row that is new was not there; null: there was none. Wall clock. */
  readonly absentAtMs: number | null
  /** When a read found that the row is gone, or did not show it. */
  readonly nowMs: number
}

/** The tenure that a row shows. */
interface Holding {
  readonly owner: string | null
  readonly row: WatchedRow
  readonly quarantine: ReturnType<typeof quarantineOf>
}

/** @returns the transitions, in their order; empty: a renewal, or another value */
export function transitionsOf(before: WatchedRow | null, after: WatchedRow | null, seen: Seen): LeaseEvent[] {
  const [one, other] = [holdingOf(before, seen), holdingOf(after, seen)]
  if (one === null && other === null) return []
  if (one === null) return other === null ? [] : beginning(other, null, seen)
  if (other === null) return [ending(one, seen)]
  if (one.owner === other.owner) return []
  return beginning(other, one, seen)
}

/** Whether this row was renewed: the same tenure, written again. */
export const isRenewal = (before: WatchedRow | null, after: WatchedRow | null): boolean =>
  before !== null &&
  after !== null &&
  before.owner !== null &&
  before.owner === after.owner &&
  before.version !== null &&
  after.version !== null &&
  after.version > before.version &&
  quarantineOf(after.owner, null) === null

/** A tenure that began while nothing was observed, as a later recorder knows it. null: the row shows none. */
export function begunUnseen(row: WatchedRow, seen: Seen): LeaseEvent | null {
  const holding = holdingOf(row, seen)
  return holding === null ? null : (beginning(holding, null, seen)[0] ?? null)
}

function holdingOf(row: WatchedRow | null, { hasOwner }: Seen): Holding | null {
  // A row without an owner is what is left of one that expired.
  if (row === null || (hasOwner && row.owner === null)) return null
  return { owner: row.owner, row, quarantine: quarantineOf(row.owner, row.value) }
}

function beginning(after: Holding, before: Holding | null, seen: Seen): LeaseEvent[] {
  const { row, quarantine } = after
  const atMs = versionMs(row) ?? row.read.at.wallMs
  if (quarantine !== null) return [broken(after, before, atMs)]
  const lastSeenMs = before === null ? seen.absentAtMs : before.row.read.serverNowMs
  const notBeforeMs = lastSeenMs === null ? null : Math.min(lastSeenMs, atMs)
  const expiresAtMs = before?.row.expiresAtMs ?? null
  // An owner that came after the expiry of the one before it says nothing about how that one ended, but when at the latest.
  const isAfterExpiry = before !== null && expiresAtMs !== null && expiresAtMs <= atMs
  const ended = before === null || !(isAfterExpiry || before.quarantine !== null) ? null : before
  const kind = ended === null && before !== null ? 'changed-hands' : 'acquired'
  const began = event(after, 'begin', kind, atMs, {
    notBeforeMs,
    notAfterMs: notBeforeMs === null ? null : atMs,
    previousOwner: before?.quarantine === null ? before.owner : null,
  })
  return ended === null ? [began] : [ending(ended, { ...seen, nowMs: atMs }), began]
}

function broken({ row, quarantine }: Holding, before: Holding | null, atMs: number): LeaseEvent {
  const note = quarantine?.note ?? null
  const owner = before?.owner ?? note?.was ?? null
  return event({ owner, row, quarantine: null }, 'end', 'broken', atMs, {
    release: { id: quarantine?.releaseId ?? '', mode: 'break', by: note?.by ?? null },
  })
}

function ending(holding: Holding, { nowMs }: Seen): LeaseEvent {
  const { row, quarantine } = holding
  const notBeforeMs = Math.min(row.read.serverNowMs, nowMs)
  const { expiresAtMs, ttlSeconds } = row
  const hasExpired = expiresAtMs !== null && expiresAtMs <= nowMs
  if (quarantine !== null) {
    const atMs = hasExpired ? Math.max(expiresAtMs, notBeforeMs) : nowMs
    const owner = quarantine.note?.was ?? null
    return event({ ...holding, owner }, 'quarantine', 'quarantine-ended', atMs, {
      notBeforeMs,
      notAfterMs: nowMs,
    })
  }
  if (!hasExpired) return event(holding, 'end', 'released', nowMs, { notBeforeMs, notAfterMs: nowMs })
  // The rhythm of renewals is a third of the TTL: a holder that was seen with less had missed one.
  const closeMs = Math.max(expiredWithinMs, ((ttlSeconds ?? 0) * 1000) / 3)
  const isSure = expiresAtMs - notBeforeMs <= closeMs
  const kind = isSure ? 'expired' : 'ended-unknown'
  const atMs = Math.max(expiresAtMs, notBeforeMs)
  return event(holding, 'end', kind, atMs, { notBeforeMs, notAfterMs: isSure ? atMs : nowMs })
}

function event(
  { owner, row }: Holding,
  what: 'begin' | 'end' | 'quarantine',
  kind: LeaseEventKind,
  atMs: number,
  { notBeforeMs = null, notAfterMs = null, previousOwner = null, release = null }: Partial<LeaseEvent>,
): LeaseEvent {
  // An owner of the library's is used once, whatever version was read last. A chosen one may come back.
  const isUnique = isLibraryOwner(owner)
  // No spread of a bare event: for each transition that costs as much as its id does.
  return {
    id: eventId('observed', row.name, what, owner, isUnique ? null : (row.version ?? atMs)),
    name: row.name,
    kind,
    source: 'observed',
    atMs,
    notBeforeMs,
    notAfterMs,
    owner,
    previousOwner,
    token: null,
    version: row.version,
    ttlSeconds: row.ttlSeconds,
    reason: null,
    release,
  }
}

/** The longest that a version may be ahead of this process's clock: a client can write any number as a timestamp. */
const aheadMaxMs = 3_600_000

function versionMs({ version, read }: WatchedRow): number | null {
  if (version === null) return null
  const ms = Number(version / 1000n)
  return ms > 0 && ms <= read.at.wallMs + aheadMaxMs ? ms : null
}
