/**
 * How far the start of a node is.
 *
 * Guarantees: *has its ports* means that the process which writes this log listens on them. An answer on the port does
 * not mean that: the node of another clone may have taken it first. Cassandra logs `Startup complete` after it has
 * bound its port, into a file that this start alone writes; while the process lives, the port is its own.
 * Assumes: the file was removed before the process was started, and one process at a time uses the directory.
 */
import { readFileSync, statSync } from 'node:fs'

/** @param {{ startupLog: string }} places */
export function hasItsPorts({ startupLog }) {
  try {
    return /Startup complete/.test(readFileSync(startupLog, 'utf8'))
  } catch {
    return false
  }
}

/**
 * A busy machine needs minutes for what takes 7 s otherwise. So a limit counts from the last line that the node wrote.
 *
 * @param {{ systemLog: string, output: string }} places
 * @param {{ limitMs: number, now?: () => number }} options
 * @returns {() => boolean} whether the node wrote nothing for that long
 */
export function silence({ systemLog, output }, { limitMs, now = () => performance.now() }) {
  let sizes = ''
  let changedMs = now()
  return () => {
    const found = `${sizeOf(systemLog)} ${sizeOf(output)}`
    if (found !== sizes) {
      sizes = found
      changedMs = now()
    }
    return now() - changedMs >= limitMs
  }
}

/** @param {string} path */
export function sizeOf(path) {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
