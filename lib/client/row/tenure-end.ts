/**
 * How a tenure ended, and until when its holder may act, as far as reads show it. Pure.
 *
 * A row that is gone before its expiry was deleted: by its holder, or by any other program that named the holder. No read tells
 * which. In the second case the holder does not know, and goes on until its deadline.
 */
import { longestContentionMs } from '../../contract/leases/library-times.ts'

/** A longer pause between two reads may hide a renewal and a release. */
const watchedWithinMs = 5_000

/** `unseen`: the row may have been renewed, and then deleted, while it was not read. */
export type TenureEnd = 'early' | 'expired' | 'unseen'

interface EndReads {
  /** The row's expiry when it was read last, by the server's clock; null: it had none. */
  expiresAtMs: number | null
  /** The first read that found it gone, by the server's clock. */
  goneAtMs: number
  /** The time between that read and the last one that showed the row; null: not known. */
  unseenForMs: number | null
}

export function tenureEnd({ expiresAtMs, goneAtMs, unseenForMs }: EndReads): TenureEnd {
  if (expiresAtMs !== null && goneAtMs < expiresAtMs) return 'early'
  if (unseenForMs === null || unseenForMs > watchedWithinMs) return 'unseen'
  return expiresAtMs === null ? 'early' : 'expired'
}

/**
 * Until when a holder may act whose row another program deleted, in epoch milliseconds: its last renewal may have come just before
 * `goneAtMs`. null: it has no deadline.
 * @param ttlSeconds as it was read last; null: the lease had no expiry
 */
export const mayActUntilMs = (goneAtMs: number, ttlSeconds: number | null): number | null =>
  ttlSeconds === null ? null : goneAtMs + ttlSeconds * 1000 + longestContentionMs
