import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../terminal/failure.mjs'

/**
 * Makes a directory, with its parents, for its owner alone.
 *
 * Not by mkdir's own `recursive`: Node 20 loops for ever where the parent exists and refuses with ENOENT (/proc).
 *
 * @param {string} dir absolute
 */
export function makeDirectory(dir) {
  try {
    make(dir)
    chmodSync(dir, 0o700)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const reason = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : (code ?? message)
    throw new Failure(
      `The directory ${dir} cannot be made or written to (${reason}): set LEASEHOLD_DATA_DIR to one that can.`,
      { cause: error },
    )
  }
}

/** @param {string} dir */
function make(dir) {
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return
    if (code !== 'ENOENT' || dirname(dir) === dir) throw error
    make(dirname(dir))
    mkdirSync(dir, { mode: 0o700 })
  }
}
