import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { endProcess, sendSignal } from './ending.mjs'
import { register } from './registry.mjs'

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string, missing: boolean }} Ran */

const KEPT_LINES = 2_000

/**
 * Runs a program to its end, line by line. It gets a process group of its own, so that an abort ends whatever it
 * started as well, and Ctrl-C reaches it through us, in our order.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{
 *   cwd?: string, env?: NodeJS.ProcessEnv, logFile?: string, signal?: AbortSignal,
 *   onLine?: (line: string) => void, stdio?: 'lines' | 'inherit', kind?: string,
 * }} [options] logFile: everything it says goes there; stdio 'inherit': it speaks to the terminal itself;
 *   kind: under which it is registered, so that it is found after a crash
 * @returns {Promise<Ran>} missing: there is no such program
 */
export async function run(command, args, { cwd, env, logFile, signal, onLine, stdio = 'lines', kind } = {}) {
  signal?.throwIfAborted()
  if (logFile) mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
  const log = logFile ? createWriteStream(logFile, { mode: 0o600 }) : null
  log?.on('error', () => {}) // A full disk shows in the program's own outcome.
  const missing = { code: 127, signal: null, output: '', missing: true }
  /** @type {import('node:child_process').ChildProcess} */
  let child
  try {
    child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      detached: true,
      stdio: stdio === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
  } catch {
    return missing // Some reasons (a file where a directory should be) are thrown, others are events.
  }
  const unregister = kind && child.pid ? register(kind, child.pid) : undefined
  /** @type {string[]} */
  const lines = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      log?.write(`${line}\n`)
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      onLine?.(line)
    })
  }
  const lastResort = () => child.pid && sendSignal(child.pid, 'SIGKILL', true)
  const abort = () => child.pid && void endProcess(child.pid, { graceMs: 3_000, group: true })
  process.once('exit', lastResort)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    /** @type {Ran} */
    const ran = await new Promise((resolve) => {
      // No such file, not a directory on the way, not executable: there is no such program, whatever the reason.
      child.once('error', () => resolve(missing))
      child.once('close', (code, killedBy) =>
        resolve({ code, signal: killedBy, output: lines.join('\n'), missing: false }),
      )
    })
    signal?.throwIfAborted()
    return ran
  } finally {
    process.removeListener('exit', lastResort)
    unregister?.()
    signal?.removeEventListener('abort', abort)
    await new Promise((done) => (log ? log.end(done) : done(undefined)))
  }
}
