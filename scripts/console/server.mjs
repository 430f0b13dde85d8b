/**
 * The console's server process, of a finished build, watched until it is ready and until it ends.
 *
 *     const server = await startServer({ root, host: '127.0.0.1', port: 3000, env: { CASSANDRA_CONTACT_POINTS: '…' } })
 *     server.url, server.pid             // 'http://127.0.0.1:3000', 4711
 *     await server.stop()                // SIGTERM; by force after 10 s
 *     await server.exited                // { code, signal, reason }
 *
 * It resolves when GET /readyz says 200, and throws a `Failure` with what the server itself said when it ends before.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { endProcess, sendSignal, until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { register } from '../process/registry.mjs'
import { Failure } from '../terminal/failure.mjs'
import { serverModule } from './compile-server.mjs'

const STOP_MS = 10_000
const LOG_BYTES = 32 * 1024 * 1024

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, reason: string }} Exit
 * @typedef {{ url: string, port: number, pid: number, stop(): Promise<void>, kill(): Promise<void>, exited: Promise<Exit> }} Server
 */

/**
 * @param {{
 *   root: string,
 *   host: string,
 *   port: number,
 *   env?: NodeJS.ProcessEnv,
 *   distDir?: string,
 *   dataDir?: string,
 *   logFile?: string,
 *   onLine?: (line: string, stream: 'stdout' | 'stderr') => void,
 *   readyWithinMs?: number,
 *   signal?: AbortSignal,
 * }} options env: on top of this process's own; dataDir: whose server it is, for finding it after a crash
 * @returns {Promise<Server>}
 */
export async function startServer({
  root,
  host,
  port,
  env = {},
  distDir = '.next',
  dataDir,
  logFile,
  onLine = () => {},
  readyWithinMs = 60_000,
  signal,
}) {
  if (logFile) mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
  if (logFile) keepShort(logFile)
  const log = logFile ? createWriteStream(logFile, { mode: 0o600, flags: 'a' }) : null
  log?.on('error', () => {})
  const child = spawn(process.execPath, [serverModule(root, distDir)], {
    cwd: root,
    // A process group of its own, as the node has: Ctrl-C reaches both through us, the server first.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      HOST: host,
      PORT: String(port),
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      LEASEHOLD_DIST_DIR: distDir,
    },
  })
  const { pid } = child
  if (pid === undefined) throw new Failure(`Node.js could not be started again (${process.execPath}).`)
  const unregister = register('server', pid, { port, distDir, dataDir })
  const identity = processIdentity(pid)
  const lastResort = () => sendSignal(pid, 'SIGKILL', true)
  process.once('exit', lastResort)

  let gone = false
  let served = false
  /** @type {string[]} */
  const errors = []
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    createInterface({ input: child[name], crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      // The one-time link is for the terminal: a log is kept, and read by others.
      log?.write(`${line.startsWith('sign-in link: ') ? 'sign-in link: (shown in the terminal)' : line}\n`)
      if (name === 'stderr' && errors.length < 200) errors.push(stripVTControlCharacters(line))
      onLine(line, name)
    })
  }
  /** @type {Promise<Exit>} */
  const exited = new Promise((done) => {
    child.once('error', () => {})
    child.once('close', (code, killedBy) => {
      gone = true
      process.removeListener('exit', lastResort)
      unregister()
      log?.end()
      done({
        code,
        signal: killedBy,
        reason: reasonFor({ served, errors, code, signal: killedBy, logFile }),
      })
    })
  })

  /** @param {number} graceMs */
  const end = async (graceMs) => {
    await endProcess(pid, { graceMs, group: true, identity })
    await exited
  }
  const url = `http://${urlHost(host)}:${port}`
  try {
    const ready = await until(() => gone || answersReady(url), readyWithinMs, { everyMs: 100, signal })
    if (gone) throw new Failure((await exited).reason)
    if (!ready) {
      throw new Failure(
        `The console did not get ready within ${readyWithinMs / 1000} seconds${logFile ? `: see ${logFile}` : ''}.`,
      )
    }
  } catch (error) {
    await end(2_000)
    throw error
  }
  served = true
  const kill = () => {
    sendSignal(pid, 'SIGKILL', true)
    return end(0)
  }
  return { url, port, pid, stop: () => end(STOP_MS), kill, exited }
}

/**
 * A log goes on where it ended: what a server said before a crash, and the anchors of the audit log, are in it. Beyond
 * 32 MB it becomes the one before, `.1`.
 *
 * @param {string} file
 */
function keepShort(file) {
  if (existsSync(file) && statSync(file).size > LOG_BYTES) renameSync(file, `${file}.1`)
}

/** Where to reach a server that listens on `host`. @param {string} host */
export function urlHost(host) {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** @param {string} url */
async function answersReady(url) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000), redirect: 'manual' })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

/**
 * A server that cannot start explains itself in one sentence on stderr, and no sentence of ours is better. What one
 * that was already serving said last may have nothing to do with its end.
 *
 * @param {{ served: boolean, errors: string[], code: number | null, signal: NodeJS.Signals | null, logFile?: string }} end
 */
export function reasonFor({ served, errors, code, signal, logFile }) {
  const see = logFile ? ` (log: ${logFile})` : ''
  if (!served) {
    const own = errors.find((line) => line.startsWith('Leasehold cannot start: '))
    if (own) return own
    const taken = errors.find((line) => line.includes('EADDRINUSE'))
    if (taken) return 'Another program took the port meanwhile: set PORT to a free one.'
    // Stack frames and the fields of a printed error are no sentences.
    const sentence = errors.findLast((line) => /^\S.*[.!?]$/.test(line) && !/^\s*at /.test(line))
    if (sentence) return sentence
    const first = errors.find((line) => line.trim() !== '')
    if (first) return `The console could not start: ${first.trim()}${see}`
  }
  return `The console ended ${signal ? `by ${signal}` : `with exit code ${code}`}${see}.`
}
