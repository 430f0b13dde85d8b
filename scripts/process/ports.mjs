import { createServer } from 'node:net'
import { until } from './ending.mjs'

/** Below the range from which the kernel serves outgoing connections, so that none takes a port we just chose. */
const RANDOM_FROM = 20_000
const RANDOM_COUNT = 12_000

/**
 * Whether a server could listen there: `free`, or the system's reason why not (`EADDRINUSE`, `EACCES`, …).
 *
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<string>}
 */
export function probePort(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? 'EUNKNOWN'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')))
  })
}

/**
 * The first free port from `from` upwards.
 *
 * @param {number} from
 * @param {{ host?: string, tries?: number }} [options]
 * @returns {Promise<number | null>} null when none of them is free
 */
export async function nextFreePort(from, { host = '127.0.0.1', tries = 100 } = {}) {
  for (let port = from; port < Math.min(from + tries, 65_536); port += 1) {
    if ((await probePort(port, host)) === 'free') return port
  }
  return null
}

/**
 * Free ports at random places. Two programs that choose at the same moment then do not choose the same one.
 *
 * @param {number} count
 * @param {{ host?: string, random?: () => number }} [options]
 * @returns {Promise<number[]>}
 */
export async function randomFreePorts(count, { host = '127.0.0.1', random = Math.random } = {}) {
  /** @type {number[]} */
  const found = []
  while (found.length < count) {
    const port = RANDOM_FROM + Math.floor(random() * RANDOM_COUNT)
    if (!found.includes(port) && (await probePort(port, host)) === 'free') found.push(port)
  }
  return found
}

/**
 * @param {number[]} ports
 * @param {{ host?: string, timeoutMs: number }} options
 * @returns {Promise<boolean>} whether all of them were let go in time
 */
export function portsReleased(ports, { host = '127.0.0.1', timeoutMs }) {
  return until(async () => {
    const states = await Promise.all(ports.map((port) => probePort(port, host)))
    return states.every((state) => state !== 'EADDRINUSE')
  }, timeoutMs)
}

/**
 * A port from the environment.
 *
 * @param {string | undefined} text
 * @returns {number | null} null when it is not one
 */
export function parsePort(text) {
  if (!/^\d{1,5}$/.test(text ?? '')) return null
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? port : null
}
