/**
 * How many connections one address may have open. A server has a bound for all of them, and Node closes what comes above it: without
 * shares, one address that opens connections and sends nothing would keep all others out.
 *
 * Does not guarantee: anything against as many addresses as there are shares. Behind a trusted reverse proxy the proxy is
 * the only address; it has no share, and bounds its own clients.
 */
import { BlockList, isIPv6, type Socket } from 'node:net'
import { type Clock, elapsedMs, systemClock } from 'leasehold/time'
import { plainAddress } from '../limits/client-address.ts'
import { addressKey } from '../limits/request-limits.ts'
import type { Log } from '../log/log.ts'

/** Of one address: a fifth of what the server takes. A browser has six at most; an office behind one address has many. */
const connectionsPerAddress = 1_000

/** A flood from many addresses opens thousands of connections a second, and some may close in between. */
const toldAgainAfterMs = 60_000

/** Where a reverse proxy stands: this machine, or a private network. */
const near = new BlockList()
near.addSubnet('127.0.0.0', 8)
near.addSubnet('10.0.0.0', 8)
near.addSubnet('172.16.0.0', 12)
near.addSubnet('192.168.0.0', 16)
near.addSubnet('169.254.0.0', 16)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')

interface ConnectionSharesOptions {
  /** Whether a reverse proxy is declared: LEASEHOLD_TRUST_PROXY. */
  trustProxy: boolean
  log: Pick<Log, 'warn'>
  perAddress?: number
  clock?: Clock
}

export class ConnectionShares {
  readonly #options: ConnectionSharesOptions
  readonly #open = new Map<string, { count: number; isTold: boolean }>()
  #toldFullAt: ReturnType<Clock['now']> | undefined

  constructor(options: ConnectionSharesOptions) {
    this.#options = options
  }

  /** Counts a connection until it closes, or ends it at once: its address has as many as it may have. */
  take(socket: Pick<Socket, 'remoteAddress' | 'destroy' | 'once'>): void {
    const { trustProxy, log, perAddress = connectionsPerAddress } = this.#options
    // undefined: it has ended already.
    const address = plainAddress(socket.remoteAddress ?? '').replace(/%.*/, '')
    if (address === '' || (trustProxy && near.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))) return
    const key = addressKey(address)
    const open = this.#open.get(key) ?? { count: 0, isTold: false }
    if (open.count >= perAddress) {
      // One line for a flood, until the address has closed all of its connections.
      if (!open.isTold) log.warn({ act: 'connection-limit', address, perAddress }, 'too many connections')
      open.isTold = true
      socket.destroy()
      return
    }
    open.count++
    this.#open.set(key, open)
    socket.once('close', () => {
      open.count--
      if (open.count === 0) this.#open.delete(key)
    })
  }

  /** Logs, once a minute, that the server closed a connection because it has as many as it takes of all addresses. */
  full(inAll: number): void {
    const { log, clock = systemClock } = this.#options
    const now = clock.now()
    if (this.#toldFullAt !== undefined && elapsedMs(this.#toldFullAt, now) < toldAgainAfterMs) return
    this.#toldFullAt = now
    log.warn({ act: 'connection-limit', inAll }, 'too many connections')
  }
}
