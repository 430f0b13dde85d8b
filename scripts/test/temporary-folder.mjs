/**
 * Folders for tests and benchmarks. All of one process are removed when it ends; those of a test file already when its last
 * test has ended (remove-folders.mjs), because vitest may kill its processes, and a killed process removes nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  // A process that is ending may still write into one: the removal is tried again.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  folders.clear()
}
