import { statfsSync } from 'node:fs'
import { Failure } from '../terminal/failure.mjs'

const MB = 1024 * 1024

/** node_modules (600 MB) and a build. */
export const PACKAGES_NEED_BYTES = 900 * MB
/** The jars, twice (Maven's own copy and ours), and room for the first data. */
export const FETCH_NEEDS_BYTES = 500 * MB
/** Commit log, the data of a small system, logs. */
export const START_NEEDS_BYTES = 300 * MB

/**
 * Checks that there is room. Better one sentence now than a Cassandra that dies half way.
 *
 * @param {string} dir which exists
 * @param {number} neededBytes
 * @param {(dir: string) => { bavail: number, bsize: number }} [stat]
 */
export function requireSpace(dir, neededBytes, stat = statfsSync) {
  const { bavail, bsize } = stat(dir)
  const freeBytes = bavail * bsize
  if (freeBytes >= neededBytes) return
  throw new Failure(
    `The disk that holds ${dir} has ${Math.floor(freeBytes / MB)} MB free, and ${Math.ceil(neededBytes / MB)} MB are needed: free some space, or set LEASEHOLD_DATA_DIR to a directory on another disk.`,
  )
}
