import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'
import { installPackages, mayInstall } from './apt.mjs'

/** The same engine without windows: eight pages took 3.1 s of processor time, and 10.2 s in Chromium's own headless mode. */
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * A browser that is there already: `$CHROMIUM`, else one on the PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(path: string) => boolean} [runnable]
 * @returns {string | null}
 */
export function findChromium(env = process.env, runnable = isRunnable) {
  if (env.CHROMIUM) {
    if (runnable(env.CHROMIUM)) return env.CHROMIUM
    throw new Failure(
      `CHROMIUM is set to ${env.CHROMIUM}, which is no program: set it to a Chromium's path, or unset it.`,
    )
  }
  const dirs = (env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const name of NAMES) {
    const path = dirs.map((dir) => join(dir, name)).find(runnable)
    if (path !== undefined) return path
  }
  return null
}

/**
 * The browser for the end-to-end tests: apt's headless shell (as root), else one that is there, else Playwright's own download.
 *
 * @param {string} root
 * @param {{ report: (text: string) => void, logFile: string, signal?: AbortSignal }} options
 * @returns {Promise<string | null>} its path; null: Playwright finds its own
 */
export async function ensureChromium(root, { report, logFile, signal }) {
  const found = findChromium()
  if (mayInstall() && !process.env.CHROMIUM && !found?.endsWith(SHELL)) {
    try {
      const wanted = found === null ? [SHELL, 'chromium', 'chromium-browser'] : [SHELL]
      await installPackages([wanted], { report, logFile, signal })
    } catch (error) {
      // A browser that is there does as well, only slower.
      if (found === null || signal?.aborted) throw error
    }
  }
  const path = findChromium()
  if (path !== null) {
    report(path)
    return path
  }
  report("Playwright's own")
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const ran = await run(process.execPath, [cli, 'install', 'chromium'], {
    cwd: root,
    logFile,
    signal,
    onLine: report,
  })
  if (ran.code === 0) return null
  throw new Failure(
    `The end-to-end tests need a Chromium, and Playwright could not download its own: install one (Debian: \`sudo apt-get install chromium\`), or set CHROMIUM to its path (log: ${logFile}).`,
  )
}

/** @param {string} path */
function isRunnable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
