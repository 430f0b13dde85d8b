/**
 * `npm run leasehold -- ls`: the `leasehold` command from this clone, built when its sources are newer than what was
 * built. Installed from a registry, the command is simply there.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from './process/lock.mjs'
import { ROOT } from './process/registry.mjs'
import { requirePackages } from './setup/packages.mjs'
import { sentenceOf } from './terminal/failure.mjs'

/** Before the command is built; afterwards it speaks for itself. */
const HELP = `npm run leasehold: the command leasehold, from this clone

Usage
  npm run leasehold -- COMMAND …    such as ls, get, run, elect, doctor
  npm run leasehold -- --help       all commands and options, once the packages are
                                    installed: npm start or npm ci installs them

The first use builds the command, as does the first one after a change of its sources.
It uses the Cassandra of npm start, unless --contact-points names a cluster or --server
a console.

Examples
  npm run leasehold -- ls --watch
  npm run leasehold -- run nightly-backup -- ./backup.sh
`

const library = join(ROOT, 'lib', 'leasehold')
const built = join(library, 'dist', 'cli', 'leasehold.js')

/** @returns {number} when a source was last changed, in milliseconds since the epoch */
function newestSourceMs() {
  const times = readdirSync(library, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .filter((entry) => !/\/(dist|node_modules)(\/|$)/.test(entry.parentPath))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(0, ...times)
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  // Not further on: of `run NAME -- program --help` it is a word of the program's.
  if (process.argv.slice(2, 4).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const isBuilt = () => existsSync(built) && statSync(built).mtimeMs >= newestSourceMs()

try {
  requirePackages(ROOT)
} catch (thrown) {
  fail(sentenceOf(thrown))
}
if (!isBuilt()) {
  /** @param {string} text */
  const report = (text) => process.stderr.write(`${text}\n`)
  // `npm run user` and `npm run audit` build the same files.
  const waiting = {
    report: (/** @type {string} */ text) => report(`Building the command leasehold: ${text}`),
  }
  await oneAtATime('compile', waiting, async () => {
    if (isBuilt()) return
    report('Building the command leasehold …')
    try {
      execFileSync(process.execPath, [tsc, '-p', library], { stdio: ['ignore', 2, 2] })
    } catch {
      fail('The command could not be built; the lines above say why. If they name a package, run `npm ci`.')
    }
  })
}
try {
  // It reads what stands after this script's name, and ends the process.
  await import(built)
} catch (thrown) {
  if (/** @type {{ code?: string }} */ (thrown).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
  fail('A package is missing: `npm ci` or `npm start` installs it.')
}
