/**
 * The log of a child process: whole lines, in at most two files of a fixed size.
 *
 * Guarantees: a line is in the file, or in the one before (`.1`), when `write` returns, whole and in its order; both
 * together never hold more than twice the limit, a single longer line apart. A log goes on where it ended: what a
 * server said before a crash, and the anchors of the audit log, are in it.
 * Does not guarantee: anything while the disk is full. Lines are lost then; those that follow are whole again.
 *
 * Writing is synchronous on purpose. What cannot be written yet then stays in the pipe, the pipe fills, and the process
 * that logs too much waits; a stream would keep it in this process's memory instead.
 */
import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

const LIMIT_BYTES = 32 * 1024 * 1024

/** @typedef {{ write(line: string): void, close(): void }} LogFile */

/**
 * @param {string} file
 * @param {{ limitBytes?: number }} [options] of one file
 * @returns {LogFile}
 */
export function openLogFile(file, { limitBytes = LIMIT_BYTES } = {}) {
  let descriptor = openSync(file, 'a', 0o600)
  let size = fstatSync(descriptor).size
  /** Part of a line was written, and then the disk was full. */
  let torn = false

  const rotate = () => {
    // Missing: moved already, by a rotation that found no room for the new file.
    if (existsSync(file)) renameSync(file, `${file}.1`)
    const next = openSync(file, 'a', 0o600)
    closeSync(descriptor)
    descriptor = next
    size = 0
    torn = false
  }

  /** @param {Buffer} bytes */
  const append = (bytes) => {
    for (let written = 0; written < bytes.length; ) {
      const more = writeSync(descriptor, bytes, written)
      written += more
      size += more
      torn = written < bytes.length
    }
  }

  return {
    write(line) {
      try {
        const bytes = Buffer.from(`${torn ? '\n' : ''}${line}\n`)
        if (size > 0 && size + bytes.length > limitBytes) rotate()
        append(bytes)
      } catch {
        // A full disk must not end what goes on without a log.
      }
    },
    close() {
      closeSync(descriptor)
      descriptor = -1 // The number may soon be another file's.
    },
  }
}
