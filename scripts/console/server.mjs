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
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { endProcess, sendSignal, until } from '../process/ending.mjs'
import { processIdentity } from '../process/identity.mjs'
import { eachLine } from '../process/lines.mjs'
import { register } from '../process/registry.mjs'
import { started } from '../process/started.mjs'
import { Failure } from '../terminal/failure.mjs'
import { serverModule } from './compile-server.mjs'
import { openLogFile } from './log-file.mjs'
import { secretsInFiles } from './secrets.mjs'

const STOP_MS = 10_000
/** Of what the server said on stderr, for the reason why it could not start. */
const KEPT_ERRORS = { lines: 200, characters: 2_000 }

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
 *   entry?: string[] | undefined,
 *   nodeEnv?: 'production' | 'development',
 *   keepSecrets?: boolean,
 *   dataDir?: string,
 *   logFile?: string,
 *   logLimitBytes?: number,
 *   onLine?: (line: string, stream: 'stdout' | 'stderr') => void,
 *   readyWithinMs?: number,
 *   signal?: AbortSignal,
 * }} options env: on top of this process's own; entry: Node's arguments, when it is not a finished build that is served;
 *   keepSecrets: the server reads its configuration more than once; dataDir: whose server it is, for finding it after a
 *   crash; logLimitBytes: of each of the log's two files
 * @returns {Promise<Server>}
 */
export async function startServer({
  root,
  host,
  port,
  env = {},
  distDir = '.next',
  entry = [serverModule(root, distDir)],
  nodeEnv = 'production',
  keepSecrets = false,
  dataDir,
  logFile,
  logLimitBytes,
  onLine = () => {},
  readyWithinMs = 180_000,
  signal,
}) {
  if (logFile) mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
  const log = logFile ? openLogFile(logFile, { limitBytes: logLimitBytes }) : null
  const secrets = secretsInFiles({ ...process.env, ...env })
  const child = started(() =>
    spawn(process.execPath, entry, {
      cwd: root,
      // A process group of its own, as the node has: Ctrl-C reaches both through us, the server first.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...secrets.env,
        HOST: host,
        PORT: String(port),
        NODE_ENV: nodeEnv,
        NEXT_TELEMETRY_DISABLED: '1',
        LEASEHOLD_DIST_DIR: distDir,
      },
    }),
  )
  if (child === null) {
    secrets.remove()
    log?.close()
    throw new Failure(`Node.js could not be started again (${process.execPath}).`)
  }
  const { pid } = child
  // Next's development server builds beside a finished build, and needs none.
  const builtIn = nodeEnv === 'development' ? join(distDir, 'dev') : distDir
  const unregister = register('server', pid, { port, distDir: builtIn, dataDir })
  const identity = processIdentity(pid)
  const lastResort = () => sendSignal(pid, 'SIGKILL', true)
  process.once('exit', lastResort)

  let gone = false
  let served = false
  /** @type {string[]} */
  const errors = []
  const said = /** @type {const} */ (['stdout', 'stderr']).map((name) =>
    eachLine(child[name], (line) => {
      // The one-time link is for the terminal: a log is kept, and read by others.
      log?.write(line.startsWith('sign-in link: ') ? 'sign-in link: (shown in the terminal)' : line)
      if (name === 'stderr' && errors.length < KEPT_ERRORS.lines)
        errors.push(stripVTControlCharacters(line.slice(0, KEPT_ERRORS.characters)))
      onLine(line, name)
    }),
  )
  /** @type {Promise<Exit>} */
  const exited = new Promise((done) => {
    child.once('close', async (code, killedBy) => {
      await Promise.all(said)
      gone = true
      process.removeListener('exit', lastResort)
      unregister()
      secrets.remove()
      log?.close()
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
  if (!keepSecrets) secrets.remove()
  const kill = () => {
    sendSignal(pid, 'SIGKILL', true)
    return end(0)
  }
  return { url, port, pid, stop: () => end(STOP_MS), kill, exited }
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
    if (own) return `${own}${see}`
    const taken = errors.find((line) => line.includes('EADDRINUSE'))
    if (taken) return 'Another program has taken the port: set PORT to a free one.'
    // Stack frames and the fields of a printed error are no sentences.
    const sentence = errors.findLast((line) => /^\S.*[.!?]$/.test(line) && !/^\s*at /.test(line))
    if (sentence) return sentence
    const first = errors.find((line) => line.trim() !== '')
    if (first) return `The console could not start: ${first.trim()}${see}`
  }
  return `The console ended ${signal ? `by ${signal}` : `with exit code ${code}`}${see}.`
}
