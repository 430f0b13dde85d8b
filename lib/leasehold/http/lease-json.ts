import { type LeaseCells, StoreUnavailableError } from '../lease/index.ts'
import { bigintOf, instantOf, type Json, numberOf, textOf } from './json.ts'

/**
 * The cells of a row, from the lease as the API shows it.
 *
 * The API has done the arithmetic already: `expiresAt` is the expiry, and `remainingMs` the time until then by the
 * coordinator's clock when the server wrote the answer. So that clock read `expiresAt − remainingMs`. This function
 * builds cells from which the protocol computes the same expiry again.
 * @throws StoreUnavailableError when the JSON is no lease
 */
export function cellsOf(lease: Json, now: unknown): LeaseCells {
  const expiresAtMs = instantOf(lease.expiresAt)
  const leftMs = numberOf(lease.remainingMs)
  const valueLeftMs = numberOf(lease.valueRemainingMs)
  const serverNowMs = expiresAtMs !== null && leftMs !== null ? expiresAtMs - leftMs : instantOf(now)
  if (textOf(lease.name) === null || serverNowMs === null)
    throw new StoreUnavailableError(
      'The server answered with something other than a lease. Check that the URL is that of a Leasehold server.',
    )
  const ttl = (expiryMs: number) => Math.round(expiryMs / 1000) - Math.floor(serverNowMs / 1000)
  return {
    owner: textOf(lease.owner),
    value: textOf(lease.value),
    ownerWritetime: bigintOf(lease.version),
    ownerTtlSeconds: expiresAtMs === null ? null : ttl(expiresAtMs),
    valueTtlSeconds: valueLeftMs === null ? null : ttl(serverNowMs + valueLeftMs),
    serverNowMs,
  }
}
