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
  await compileCommands({
    report: (text) => process.stderr.write(`Compiling this command: ${text}\n`),
    module,
  })
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
  const parts = [
    {
      what: 'library',
      sources: ['lib/leasehold'],
      project: 'lib/leasehold',
      result: join(ROOT, 'lib', 'leasehold', 'dist', 'lease', 'index.js'),
    },
    {
      what: 'console',
      sources: ['lib/console', 'lib/contract', 'scripts/console/tsconfig.json'],
      project: 'scripts/console',
      result: resultOf(module),
    },
  ]
  // Before the lock: commands with nothing to compile do not wait for each other, and need no right to write here.
  if (parts.every((part) => isCompiled(part, newestOf(part)))) return 'as compiled before'
  return oneAtATime('compile', { report, signal }, async () => {
    let result = /** @type {'compiled' | 'as compiled before'} */ ('as compiled before')
    for (const part of parts) if (await compile(part)) result = 'compiled'
    return result
  })
}

/** As in the image: what was compiled is there, and neither the sources nor the compiler. */
const isInstalled = () => !existsSync(join(ROOT, 'lib', 'contract'))

/** @param {string} module */
const resultOf = (module) => join(ROOT, 'lib', 'console', 'dist', 'console', `${module}.js`)

/** @typedef {{ what: string, sources: string[], project: string, result: string }} Part */

/** Not in the library's own directory: that one is published. @param {Part} part */
const stampOf = ({ what }) => join(ROOT, 'lib', 'console', 'dist', `.${what}`)

/** When its sources were last changed, in milliseconds since the epoch. @param {Part} part */
const newestOf = ({ sources }) => Math.max(0, ...sources.flatMap((source) => timesBelow(join(ROOT, source))))

/** @param {Part} part @param {number} newestMs */
const isCompiled = (part, newestMs) =>
  existsSync(part.result) && existsSync(stampOf(part)) && statSync(stampOf(part)).mtimeMs >= newestMs

/**
 * @param {Part} part
 * @returns {Promise<boolean>} false: it was compiled already
 */
async function compile(part) {
  const { what, project } = part
  const stamp = stampOf(part)
  const newestMs = newestOf(part)
  if (isCompiled(part, newestMs)) return false
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
