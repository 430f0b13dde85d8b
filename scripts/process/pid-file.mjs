import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { processIdentity } from './identity.mjs'

/**
 * A file that says which process does something for a directory, so that a later run can find and end what a crash
 * left over. A pid alone is not proof: it may meanwhile belong to a stranger. So the file holds the process's
 * identity too, and the directory it was written for (a copied directory brings the file along, not the process).
 *
 * @typedef {{ pid: number, identity: string | null, home: string, [fact: string]: unknown }} PidRecord
 */

/**
 * @param {string} path
 * @param {number} pid
 * @param {Record<string, unknown>} [facts] whatever the reader needs, such as ports
 */
export function writePidFile(path, pid, facts = {}) {
  const temporary = `${path}.${randomUUID()}`
  writeFileSync(temporary, contentOf(path, pid, facts), { mode: 0o600 })
  renameSync(temporary, path)
}

/**
 * The record, if its process is alive and really the one that the file was written for; else null.
 *
 * @param {string} path
 * @returns {PidRecord | null}
 */
export function livePidRecord(path) {
  const record = readRecord(path)
  if (record === null || record.home !== dirname(path) || record.identity === null) return null
  return processIdentity(record.pid) === record.identity ? record : null
}

/**
 * Makes this process the one owner of `path`; a second process gets the owner's record instead.
 *
 * The content must be there the moment the file is, hence a link and not an exclusive open. A stale file is moved
 * away before it is replaced and looked at again: between reading and moving, another process may have done the same.
 *
 * @param {string} path
 * @param {Record<string, unknown>} [facts]
 * @returns {{ owner: PidRecord } | { release(): void }}
 */
export function claim(path, facts = {}) {
  const temporary = `${path}.${randomUUID()}`
  writeFileSync(temporary, contentOf(path, process.pid, facts), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(temporary, path)
        return { release: () => rmSync(path, { force: true }) }
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      const owner = livePidRecord(path)
      if (owner) return { owner }
      removeStale(path)
    }
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** @param {string} path */
function removeStale(path) {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return // Someone else was quicker.
  }
  const moved = readRecord(aside)
  const alive =
    moved?.identity && moved.home === dirname(path) && processIdentity(moved.pid) === moved.identity
  try {
    if (alive) linkSync(aside, path)
  } finally {
    rmSync(aside, { force: true })
  }
}

/** @param {string} path @param {number} pid @param {Record<string, unknown>} facts */
function contentOf(path, pid, facts) {
  return `${JSON.stringify({ ...facts, pid, identity: processIdentity(pid), home: dirname(path) })}\n`
}

/** @param {string} path @returns {PidRecord | null} */
function readRecord(path) {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8'))
    return Number.isInteger(record?.pid) ? record : null
  } catch {
    return null // Missing, or cut short by a crash: no proof of anything.
  }
}
