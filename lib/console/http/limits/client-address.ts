import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const key = Symbol.for('leasehold.addressHeader')
type Global = typeof globalThis & { [key]?: string }

/**
 * The header that carries the socket's address to handlers, which Next gives no socket. Its name is drawn anew by each
 * process, so that nobody can send it: not even a request that arrives before anything of ours runs.
 */
export function addressHeader(): string {
  const shared = globalThis as Global
  shared[key] ??= `leasehold-address-${randomBytes(16).toString('hex')}`
  return shared[key]
}

/** Writes down where a request that arrives comes from. */
export function noteAddress(request: IncomingMessage): void {
  const address = request.socket.remoteAddress
  if (address !== undefined) request.headers[addressHeader()] = address
}

/**
 * Where a request comes from: the address of the socket, or, when a reverse proxy is trusted (LEASEHOLD_TRUST_PROXY),
 * the last entry of X-Forwarded-For: the one that this proxy wrote; all before it is the sender's own word. null:
 * nobody noted it, as in tests without a server.
 */
export function clientAddress(headers: Headers, { trustProxy }: { trustProxy: boolean }): string | null {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  const address = addressIn(forwarded ?? '') ?? headers.get(addressHeader())
  // An IPv4 client of a socket that listens on both is one client, not two.
  return address?.replace(/^::ffff:(?=[\d.]+$)/i, '') ?? null
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. null: there is no address. */
function addressIn(entry: string): string | null {
  const [, bracketed, plain] = entry.match(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/) ?? []
  const address = bracketed ?? plain ?? entry
  return isIP(address) === 0 ? null : address
}
