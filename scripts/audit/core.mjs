import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../process/registry.mjs'
import { Failure } from '../terminal/failure.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const built = join(here, 'dist', 'console', 'audit')

/**
 * The console's own code for hashes and verification, which is TypeScript: compiled when it is newer than what was
 * compiled last. There is one implementation of what binds the log together, and this is not another.
 */
export async function loadCore() {
  const sources = ['anchor', 'bucket', 'chain-hash', 'entry-body', 'verify', 'verify-statements']
  const newest = Math.max(
    ...sources.map((name) => statSync(join(ROOT, 'lib', 'console', 'audit', `${name}.ts`)).mtimeMs),
    statSync(join(ROOT, 'lib', 'contract', 'audit.ts')).mtimeMs,
  )
  const oldest = Math.min(...sources.map((name) => builtAtMs(join(built, `${name}.js`))))
  if (oldest < newest) compile()
  const parts = await Promise.all(sources.map((name) => import(join(built, `${name}.js`))))
  return Object.assign({}, ...parts)
}

/** @param {string} file */
const builtAtMs = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)

function compile() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(tsc))
    throw new Failure('The compiler is not installed: `npm ci` installs it, `npm ci --omit=dev` does not.', {
      exitCode: 2,
    })
  execFileSync(process.execPath, [tsc, '-p', here], { stdio: ['ignore', 2, 2] })
}

/**
 * The keys that entries may have been written with, by their ids.
 *
 * @param {string[]} files
 * @param {string} dataDir
 * @param {Awaited<ReturnType<typeof loadCore>>} core
 * @returns {Map<string, Buffer>}
 */
export function readKeys(files, dataDir, core) {
  const { LEASEHOLD_AUDIT_KEY: given, LEASEHOLD_AUDIT_KEY_FILE: givenFile } = process.env
  const texts =
    files.length > 0
      ? files.map((file) => ({ where: file, text: readText(file) }))
      : given
        ? [{ where: 'LEASEHOLD_AUDIT_KEY', text: given }]
        : [givenFile || join(dataDir, 'audit-key')].map((file) => ({ where: file, text: readText(file) }))
  return new Map(
    texts.map(({ where, text }) => {
      const key = core.parseKey(text)
      if (key === null)
        throw new Failure(`${where} does not hold a key of 32 bytes or more, in base64 or hex.`, {
          exitCode: 2,
        })
      return [core.keyIdOf(key), key]
    }),
  )
}

/**
 * @param {string[]} files given ones; none: those of the data directory
 * @param {string} dataDir
 * @param {Awaited<ReturnType<typeof loadCore>>} core
 */
export function readAnchors(files, dataDir, core) {
  const list = files.length > 0 ? files : existsSync(dataDir) ? core.anchorFilesIn(dataDir) : []
  return list.flatMap((/** @type {string} */ file) => core.anchorsIn(readText(file)))
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(resolve(file), 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure(`${file} cannot be read (${code}).`, { exitCode: 2 })
  }
}
