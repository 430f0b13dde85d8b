/**
 * `npm run leasehold -- ls`: the `leasehold` command from this clone, built when its sources are newer than what was
 * built. Installed from a registry, the command is simply there.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './process/registry.mjs'

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
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const lacking = 'The packages are not installed, or not all of them: `npm ci` or `npm start` installs them.'
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
if (!existsSync(tsc)) fail(lacking)
if (!existsSync(built) || statSync(built).mtimeMs < newestSourceMs()) {
  try {
    execFileSync(process.execPath, [tsc, '-p', library], { stdio: ['ignore', 2, 2] })
  } catch {
    fail('The command could not be built; the lines above say why. If they name a package, run `npm ci`.')
  }
}
try {
  // It reads what stands after this script's name, and ends the process.
  await import(built)
} catch (thrown) {
  if (/** @type {{ code?: string }} */ (thrown).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
  fail(lacking)
}
