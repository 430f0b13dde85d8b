import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from '../process/lock.mjs'
import { registered } from '../process/registry.mjs'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

/** npm writes it last, so an interrupted install has none; and it lists what is installed, by whichever command. @param {string} root */
const installedFile = (root) => join(root, 'node_modules', '.package-lock.json')

/**
 * For commands that install nothing, and run beside a console whose packages may be older than the sources.
 *
 * @param {string} root
 * @throws Failure where packages are missing
 */
export function requirePackages(root) {
  if (existsSync(installedFile(root))) return
  throw new Failure(
    'The packages are not installed yet, or not all of them: `npm start` installs them. If it does so now, wait until it is done.',
  )
}

/**
 * Whether `node_modules` holds what the lockfile asks for.
 *
 * @param {string} root
 */
export function packagesInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const installed = JSON.parse(readFileSync(installedFile(root), 'utf8')).packages
    return missingPackages(wanted, installed).length === 0
  } catch {
    return false
  }
}

/**
 * @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean }>} Locked
 * @param {Locked} wanted `packages` of the lockfile
 * @param {Locked} installed `packages` of node_modules/.package-lock.json
 * @returns {string[]} the paths that are missing or differ; optional ones (for other platforms) may be missing
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted)
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([path, want]) => {
      const have = installed[path]
      if (have === undefined) return want.optional !== true
      return have.version !== want.version || have.integrity !== want.integrity
    })
    .map(([path]) => path)
}

/**
 * Installs what the lockfile says, unless it is there already.
 *
 * @param {string} root
 * @param {{ report: (text: string) => void, logFile: string, signal?: AbortSignal }} options
 */
export async function ensurePackages(root, { report, logFile, signal }) {
  if (packagesInstalled(root)) return report('as the lockfile says')
  await oneAtATime('packages', { report, signal }, async () => {
    if (packagesInstalled(root)) return report('as the lockfile says')
    // `npm ci` deletes node_modules first.
    const [server] = registered('server').filter(({ orphan }) => !orphan)
    if (server) {
      throw new Failure(
        `The packages are not what package-lock.json asks for, and the console at port ${server.port} (process ${server.pid}) uses them: stop it first.`,
      )
    }
    await install(root, report, logFile, signal)
  })
}

/**
 * @param {string} root
 * @param {(text: string) => void} report
 * @param {string} logFile
 * @param {AbortSignal} [signal]
 */
async function install(root, report, logFile, signal) {
  report('npm ci')
  // By default npm tries for two minutes before it says that there is no network.
  const patience = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=10000']
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=http', ...patience]
  let fetched = 0
  const ran = await run('npm', args, {
    cwd: root,
    kind: 'packages',
    logFile,
    signal,
    onLine: (line) => {
      if (!/http fetch GET 200|http cache /.test(line)) return
      fetched += 1
      report(`npm ci, ${fetched} files`)
    },
  })
  if (ran.code === 0) return report(/added \d+ packages/.exec(ran.output)?.[0] ?? 'npm ci')
  throw new Failure(installFailure(ran.missing ? null : ran.output, logFile))
}

/** @param {string | null} output npm's; null when there is no npm @param {string} logFile */
export function installFailure(output, logFile) {
  if (output === null)
    return 'There is no npm on the PATH: it comes with Node.js, install it again from https://nodejs.org.'
  if (/ENOSPC/.test(output))
    return `The disk filled up while installing packages: free some space, then try again (log: ${logFile}).`
  const network = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.exec(
    output,
  )
  if (network)
    return `npm could not download the packages (${network[1]}): connect this machine to the internet, or set npm's registry to one it reaches, then try again (log: ${logFile}).`
  const first = output
    .split('\n')
    .findLast((line) => /^npm error (?!A complete log|code )/.test(line))
    ?.slice(10)
  return `npm could not install the packages (${first ?? 'it did not say why'}): see ${logFile}.`
}
