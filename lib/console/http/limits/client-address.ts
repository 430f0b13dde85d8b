import { isIP } from 'node:net'
import type { ApiRequest } from '../adapters/api-request.ts'

/**
 * Where a request comes from: the address of the socket, or, when a reverse proxy is trusted (LEASEHOLD_TRUST_PROXY),
 * the last entry of X-Forwarded-For: the one that this proxy wrote; all before it is the sender's own word. null:
 * the host of the API does not tell.
 */
export function clientAddress(
  { headers, socketAddress }: Pick<ApiRequest, 'headers' | 'socketAddress'>,
  { trustProxy }: { trustProxy: boolean },
): string | null {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = forwarded !== undefined && isIP(forwarded) !== 0 ? forwarded : socketAddress
  // An IPv4 client of a socket that listens on both is one client, not two.
  return address?.replace(/^::ffff:(?=[\d.]+$)/i, '') ?? null
}
