import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { oneAtATime } from '../process/lock.mjs'
import { ROOT } from '../process/registry.mjs'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * TypeScript that a script runs without Next: compiled when it, or what it imports, is newer than what was compiled.
 * What stands in the library is found as the package, which is compiled too.
 *
 * @param {string} module below lib/console, without its ending: `start/user-terminal`; of scripts/console/tsconfig.json
 * @returns {Promise<any>} what it exports
 */
export async function importCompiled(module) {
  if (isInstalled()) return import(pathToFileURL(resultOf(module)).href)
  if (!existsSync(join(ROOT, 'node_modules', 'typescript')))
    throw new Failure('The packages are not installed yet: `npm start` installs them.')
  await compileCommands({ report: (text) => process.stderr.write(`${text}\n`), module })
  return import(pathToFileURL(resultOf(module)).href)
}

/**
 * Compiles what `npm run user` and `npm run audit` run. `npm run build` does so too: a service's user may run both
 * commands, and may not write the program.
 *
 * @param {{ report: (text: string) => void, signal?: AbortSignal, module?: string }} options
 *   module: compiled again too when its file is missing
 * @returns {Promise<'compiled' | 'as compiled before'>}
 */
export async function compileCommands({ report, signal, module = 'start/terminal/user-terminal' }) {
  return oneAtATime('compile', { report, signal }, async () => {
    const library = await compile({
      what: 'library',
      sources: ['lib/leasehold'],
      project: 'lib/leasehold',
      result: join(ROOT, 'lib', 'leasehold', 'dist', 'lease', 'index.js'),
    })
    const console = await compile({
      what: 'console',
      sources: ['lib/console', 'lib/contract', 'scripts/console/tsconfig.json'],
      project: 'scripts/console',
      result: resultOf(module),
    })
    return library || console ? 'compiled' : 'as compiled before'
  })
}

/** As in the image: what was compiled is there, and neither the sources nor the compiler. */
const isInstalled = () => !existsSync(join(ROOT, 'lib', 'contract'))

/** @param {string} module */
const resultOf = (module) => join(ROOT, 'lib', 'console', 'dist', 'console', `${module}.js`)

/**
 * @param {{ what: string, sources: string[], project: string, result: string }} options
 * @returns {Promise<boolean>} false: it was compiled already
 */
async function compile({ what, sources, project, result }) {
  // Not in the library's own directory: that one is published.
  const stamp = join(ROOT, 'lib', 'console', 'dist', `.${what}`)
  const newestMs = Math.max(0, ...sources.flatMap((source) => timesBelow(join(ROOT, source))))
  if (existsSync(result) && existsSync(stamp) && statSync(stamp).mtimeMs >= newestMs) return false
  rmSync(stamp, { force: true })
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { code, output } = await run(process.execPath, [tsc, '-p', join(ROOT, project)], {
    cwd: ROOT,
    kind: 'compile',
  })
  if (code !== 0) throw new Failure(`The ${what} could not be compiled.`, { details: output.slice(-2_000) })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
  // As old as the newest of what was compiled: what was written meanwhile is newer.
  utimesSync(stamp, newestMs / 1000 + 0.001, newestMs / 1000 + 0.001)
  return true
}

/** When sources were last changed, in milliseconds since the epoch. @param {string} path @returns {number[]} */
function timesBelow(path) {
  if (!statSync(path).isDirectory()) return [statSync(path).mtimeMs]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
    .filter((entry) => !/\/(dist|node_modules)(\/|$)/.test(entry.parentPath))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
}
