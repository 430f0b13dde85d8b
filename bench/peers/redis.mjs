/** Redis: a lock of the npm client `redlock` on one server, over `ioredis`, with the retry settings of redlock. */
import { run } from '../../scripts/process/run.mjs'
import { startPeer } from './server.mjs'
import { renewEveryMs, ttlSeconds } from './timing.mjs'

export const command = 'redis-server'
export const packages = ['redis-server']

/** @param {{ folder: string, ports: number[] }} options */
export async function start({ folder, ports: [port] }) {
  const server = await startPeer({
    command,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    port: Number(port),
    folder,
  })
  const { output } = await run(command, ['--version'])
  return { ...server, where: { port: Number(port) }, version: /v=(\S+)/.exec(output)?.[1] ?? 'unknown' }
}

/** @param {{ port: number }} where */
export async function connect({ port }) {
  const { Redis } = await import('ioredis')
  const { default: Redlock } = await import('redlock')
  const redis = new Redis(port, '127.0.0.1')
  const redlock = new Redlock([redis])
  const ttlMs = ttlSeconds * 1_000
  return {
    async acquire(name, { signal, onRenewed = () => {} }) {
      // Read at each try: an abort makes the next one the last.
      const options = { retryCount: -1 }
      signal?.addEventListener('abort', () => {
        options.retryCount = 1
      })
      let lock = await redlock.lockWithOptions(name, ttlMs, options)
      // redlock does not report when it sent the try that won. It reports until when the lock may be relied on.
      onRenewed(lock.expiration - ttlMs + Math.round(redlock.driftFactor * ttlMs) + 2)
      const renewal = setInterval(async () => {
        const startedMs = Date.now()
        lock = await lock.extend(ttlMs)
        onRenewed(startedMs)
      }, renewEveryMs)
      return {
        async release() {
          clearInterval(renewal)
          await lock.unlock()
        },
      }
    },
    async watch(name) {
      return { ended: async () => ({ endedMs: Date.now() + Number(await redis.pttl(name)) }) }
    },
    async close() {
      redis.disconnect()
    },
  }
}
