/**
 * Folders for tests and benchmarks. All of one process are removed when it ends; those of a test file already when its last
 * test has ended (remove-folders.mjs), because vitest may kill its processes, and a killed process removes nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const removeTries = 50
const betweenTriesMs = 100

/** @type {Set<string>} */
const folders = new Set()

/**
 * @param {string} name what the folder is for: its name begins with it
 * @param {string} [parent] default: the system's folder for temporary files
 * @returns the path of a new, empty folder
 */
export function temporaryFolder(name, parent = tmpdir()) {
  if (folders.size === 0) process.once('exit', removeTemporaryFolders)
  const folder = mkdtempSync(join(parent, `${name}-`))
  folders.add(folder)
  return folder
}

export function removeTemporaryFolders() {
  for (const folder of folders) removeFolder(folder)
  folders.clear()
}

/**
 * A write that has begun may put a file into a folder that has just been emptied. `maxRetries` of `rmSync` does not help: it
 * tries to remove the folder again, and not what has come into it.
 *
 * @param {string} folder
 */
function removeFolder(folder) {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code !== 'ENOTEMPTY' || tries === removeTries) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenTriesMs)
    }
  }
}
