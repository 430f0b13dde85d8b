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

if (!existsSync(join(ROOT, 'node_modules', 'typescript'))) {
  process.stderr.write('The packages are not installed yet: `npm start` installs them.\n')
  process.exit(1)
}
if (!existsSync(built) || statSync(built).mtimeMs < newestSourceMs()) {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', library], { stdio: ['ignore', 2, 2] })
}
// It reads what stands after this script's name, and ends the process.
await import(built)
