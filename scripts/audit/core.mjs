import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { importCompiled } from '../console/compile.mjs'
import { Failure } from '../terminal/failure.mjs'

/**
 * The console's own code for hashes and verification, which is TypeScript: there is one implementation of what binds the
 * log together, and this is not another.
 */
export async function loadCore() {
  const parts = []
  for (const name of [
    'audit/anchors/anchor',
    'audit/chain/bucket',
    'audit/chain/chain-hash',
    'audit/verify/cell-times',
    'audit/verify/entry-check',
    'audit/verify/verify',
    'audit/verify/verify-statements',
    'store/secret',
  ])
    parts.push(await importCompiled(name))
  return Object.assign({}, ...parts)
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
        throw new Failure(`${where} does not hold a key of 32 bytes or more, in base64 or hex.`)
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
    throw new Failure(`${file} cannot be read (${code}).`)
  }
}
