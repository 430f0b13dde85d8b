import { type Clock, elapsedMs, expirySeconds, type Moment, writtenTtlSeconds } from '../../time/index.ts'
import type { LeaseStore, ReadAnswer } from '../store.ts'
import type { ExpiryMemory } from './expiry-memory.ts'

/** A lease as one read showed it; `read` says at which level, and when. */
export interface LeaseView {
  readonly name: string
  /** null: the owner has expired but another column has not (a zombie), or the table has no owner column. */
  readonly owner: string | null
  readonly value: string | null
  /** writetime(owner), microseconds: the version. Grows with every renewal. */
  readonly version: bigint | null
  /**
   * The whole second at which Cassandra stops showing the owner, in milliseconds since the epoch. null: never, or no
   * owner.
   */
  readonly expiresAtMs: number | null
  /** The same as `expiresAtMs`, for the value. */
  readonly valueExpiresAtMs: number | null
  /** The TTL of the owner's last write, in seconds. null: none. */
  readonly ttlSeconds: number | null
  readonly read: ReadFacts
}

interface ReadFacts {
  /** QUORUM: of the caller's own acquisition or renewal, right after it (`LeaseStore.readWritten`). All others: SERIAL. */
  readonly level: 'SERIAL' | 'QUORUM'
  /** When the reply arrived, by our clock. */
  readonly at: Moment
  /** The coordinator's clock in the reply, in milliseconds since the epoch. */
  readonly serverNowMs: number
  readonly tookMs: number
  readonly coordinator: string
  readonly statement: string
  /** The row as it came, before any arithmetic. */
  readonly ownerTtlSeconds: number | null
  readonly valueTtlSeconds: number | null
}

/** The coordinator's clock in a reply, and when the reply arrived. */
type ServerTime = Pick<ReadFacts, 'at' | 'serverNowMs'>

/** The coordinator's clock as it would read now, in milliseconds since the epoch. */
export const serverTimeMs = ({ read }: { read: ServerTime }, now: Moment): number =>
  read.serverNowMs + elapsedMs(read.at, now)

/** Milliseconds until Cassandra stops showing the owner. null: never, or no owner. */
export const remainingMs = (
  view: Pick<LeaseView, 'expiresAtMs'> & { readonly read: ServerTime },
  now: Moment,
): number | null => (view.expiresAtMs === null ? null : view.expiresAtMs - serverTimeMs(view, now))

/**
 * Reads one lease at SERIAL.
 * @returns null when Cassandra shows no row
 * @throws StoreUnavailableError, StoreRefusedError
 */
export function readLease(
  store: LeaseStore,
  clock: Clock,
  expiries: ExpiryMemory,
  name: string,
): Promise<LeaseView | null> {
  return viewOf('SERIAL', () => store.read(name), { clock, expiries, name })
}

/**
 * Reads the lease that `owner` acquired or renewed, after Cassandra answered *applied*: what a quorum shows of this owner is that write,
 * or one after it. Where a quorum shows anything else, a SERIAL read says what became of it.
 * @returns as `readLease` does
 * @throws StoreUnavailableError, StoreRefusedError
 */
export async function readWritten(
  { store, clock, expiries }: { store: LeaseStore; clock: Clock; expiries: ExpiryMemory },
  name: string,
  owner: string,
): Promise<LeaseView | null> {
  if (store.readWritten !== undefined) {
    const atQuorum = store.readWritten.bind(store, name)
    const view = await viewOf('QUORUM', atQuorum, { clock, expiries, name })
    if (view?.owner === owner) return view
  }
  return readLease(store, clock, expiries, name)
}

async function viewOf(
  level: ReadFacts['level'],
  read: () => Promise<ReadAnswer>,
  { clock, expiries, name }: { clock: Clock; expiries: ExpiryMemory; name: string },
): Promise<LeaseView | null> {
  const sent = clock.now()
  const { cells, coordinator, statement } = await read()
  const at = clock.now()
  if (cells === null) return null
  const expiry = (ttl: number | null) => (ttl === null ? null : expirySeconds(cells.serverNowMs, ttl))
  const version = cells.ownerWritetime
  let expires = expiry(cells.ownerTtlSeconds)
  if (expires !== null && version !== null) expires = expiries.smallest(name, version, expires)
  const valueExpires = expiry(cells.valueTtlSeconds)
  // Cells of one write expire in the same second: a corrected expiry of the owner corrects the value's too.
  const sameWrite = cells.valueTtlSeconds !== null && cells.valueTtlSeconds === cells.ownerTtlSeconds
  return {
    name,
    owner: cells.owner,
    value: cells.value,
    version,
    expiresAtMs: expires === null ? null : expires * 1000,
    valueExpiresAtMs: sameWrite
      ? (expires as number) * 1000
      : valueExpires === null
        ? null
        : valueExpires * 1000,
    ttlSeconds: expires === null || version === null ? null : writtenTtlSeconds(expires, version),
    read: {
      level,
      at,
      serverNowMs: cells.serverNowMs,
      tookMs: elapsedMs(sent, at),
      coordinator,
      statement,
      ownerTtlSeconds: cells.ownerTtlSeconds,
      valueTtlSeconds: cells.valueTtlSeconds,
    },
  }
}
