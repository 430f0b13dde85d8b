import { type LeaseView, remainingMs, serverTimeMs } from 'leasehold/lease'
import type { Moment } from 'leasehold/time'
import type { Evidence, Lease } from '../../contract/leases/lease.ts'
import { leaseState } from '../../contract/leases/lease-state.ts'
import { iso, isoOrNull } from '../http/instant.ts'
import type { LeaseTable } from './lease-table.ts'

/** What one read showed of a lease: a SERIAL read, or a scan. */
type ReadLease = Omit<LeaseView, 'read'> & {
  readonly read: Pick<LeaseView['read'], 'at' | 'serverNowMs'> & { readonly level: Lease['read']['level'] }
}

/** What only a process that watches knows of a lease: one read cannot tell. */
interface Seen {
  /** A renewal of this tenure was seen. */
  readonly renewed: boolean
  readonly flapping: boolean
}

/** A lease as the API shows it, as of `now`. */
export function leaseJson(table: LeaseTable, view: ReadLease, now: Moment, seen?: Seen): Lease {
  const left = remainingMs(view, now)
  const valueLeft = view.valueExpiresAtMs === null ? null : view.valueExpiresAtMs - serverTimeMs(view, now)
  const facts = {
    owner: view.owner,
    remainingMs: left === null ? null : Math.round(left),
    valueRemainingMs: valueLeft === null ? null : Math.round(valueLeft),
    ttlSeconds: view.ttlSeconds,
  }
  return {
    table: table.id,
    name: view.name,
    value: view.value,
    state: leaseState({ ...facts, hasOwner: table.mapping.owner !== null, ...seen }),
    version: view.version === null ? null : view.version.toString(),
    writtenAt: writtenAt(view.version),
    expiresAt: isoOrNull(view.expiresAtMs),
    read: { level: view.read.level, at: iso(view.read.at.wallMs) },
    ...facts,
  }
}

/** The last millisecond that ISO 8601 writes with four digits of a year. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** null for what is no instant: a client may write any number as a timestamp. */
function writtenAt(version: bigint | null): string | null {
  if (version === null) return null
  const ms = Number(version / 1000n)
  return ms < 0 || ms > lastInstantMs ? null : iso(ms)
}

/** What Cassandra was asked, and what it said, for people who want to see it. */
export function evidenceOf(table: LeaseTable, view: LeaseView, consistency: string): Evidence {
  const { owner, value } = table.mapping
  const text = (cell: unknown) => (cell === null ? null : String(cell))
  const { read } = view
  return {
    // A function: in a text, `$&` of a name would mean something.
    cql: read.statement.replace(/\?$/, () => `'${view.name.replaceAll("'", "''")}'`),
    consistency,
    coordinator: read.coordinator,
    tookMs: Math.round(read.tookMs * 10) / 10,
    cells: [
      ...(owner === null ? [] : [{ column: owner, value: view.owner }]),
      ...(value === null ? [] : [{ column: value, value: view.value }]),
      ...(owner === null ? [] : [{ column: `writetime(${owner})`, value: text(view.version) }]),
      ...(owner === null ? [] : [{ column: `ttl(${owner})`, value: text(read.ownerTtlSeconds) }]),
      ...(value === null ? [] : [{ column: `ttl(${value})`, value: text(read.valueTtlSeconds) }]),
      { column: 'now()', value: text(read.serverNowMs) },
    ],
  }
}
