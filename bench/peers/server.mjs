/** Servers of the peers: each on a port of its own of the loopback interface, with its data in a folder that is removed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../scripts/process/ending.mjs'
import { probePort } from '../../scripts/process/ports.mjs'
import { run } from '../../scripts/process/run.mjs'

const readyWithinMs = 30_000

/**
 * Starts a server, and waits until its port takes connections.
 *
 * @param {{ command: string, args: string[], port: number, folder: string, env?: Record<string, string> }} options folder:
 *   made here; the log is in it
 * @returns {Promise<{ stop: () => Promise<void> }>}
 */
export async function startPeer({ command, args, port, folder, env = {} }) {
  mkdirSync(folder, { recursive: true })
  const ending = new AbortController()
  let hasEnded = false
  const ended = run(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    logFile: join(folder, 'server.log'),
    signal: ending.signal,
    kind: 'bench-peer',
  }).then(
    ({ output }) => {
      hasEnded = true
      return output
    },
    () => '',
  )
  const stop = async () => {
    ending.abort()
    await ended
  }
  const isUp = await until(async () => hasEnded || (await probePort(port)) !== 'free', readyWithinMs)
  if (isUp && !hasEnded) return { stop }
  await stop()
  throw new Error(`${command} did not start:\n${(await ended).split('\n').slice(-10).join('\n')}`)
}
