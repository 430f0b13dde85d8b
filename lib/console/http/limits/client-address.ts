import { isIP } from 'node:net'
import type { ApiRequest } from '../adapters/api-request.ts'

/**
 * Where a request comes from: the address of the socket, or, when a reverse proxy is trusted (LEASEHOLD_TRUST_PROXY),
 * the last entry of X-Forwarded-For: the one that this proxy wrote. The sender can make up all entries before it. null:
 * the host of the API does not know the address.
 */
export function clientAddress(
  { headers, socketAddress }: Pick<ApiRequest, 'headers' | 'socketAddress'>,
  { trustProxy }: { trustProxy: boolean },
): string | null {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = addressIn(forwarded ?? '') ?? socketAddress
  return address === null || address === undefined ? null : plainAddress(address)
}

/** An IPv4 client of a socket that listens on both is one client, not two. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, '')

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. null: there is no address. */
function addressIn(entry: string): string | null {
  const [, bracketed, plain] = entry.match(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/) ?? []
  const address = bracketed ?? plain ?? entry
  return isIP(address) === 0 ? null : address
}
