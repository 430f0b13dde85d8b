import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endProcess } from './ending.mjs'
import { processIdentity } from './identity.mjs'
import { livePidRecord, writePidFile } from './pid-file.mjs'

/**
 * Which processes this clone's commands have started and still run: servers, builds, installs. Each stands in a file
 * together with its owner, the command that started it. An owner that was killed leaves orphans; the next command
 * finds them here, and ends those that are in its way. (Cassandra's file lies with its data instead.)
 *
 * @typedef {import('./pid-file.mjs').PidRecord & { kind: string, orphan: boolean, file: string }} Registered
 */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const REGISTRY = join(ROOT, '.leasehold-run')

/**
 * @param {string} kind
 * @param {number} pid
 * @param {Record<string, unknown>} [facts]
 * @returns {() => void} to be called when the process has ended
 */
export function register(kind, pid, facts = {}, dir = REGISTRY) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, `${kind}-${randomUUID()}.json`)
  writePidFile(file, pid, { ...facts, kind, owner: process.pid, ownerIdentity: processIdentity(process.pid) })
  return () => rmSync(file, { force: true })
}

/**
 * @param {string} kind
 * @returns {Registered[]} those that are alive
 */
export function registered(kind, dir = REGISTRY) {
  /** @type {Registered[]} */
  const found = []
  for (const name of listDir(dir)) {
    if (!name.startsWith(`${kind}-`) || !name.endsWith('.json')) continue
    const file = join(dir, name)
    const record = livePidRecord(file)
    if (record === null) {
      rmSync(file, { force: true })
      continue
    }
    const orphan = processIdentity(Number(record.owner)) !== record.ownerIdentity
    found.push({ ...record, kind, file, orphan })
  }
  return found
}

/**
 * Ends the processes of a kind whose owner is gone.
 *
 * @param {string} kind
 * @param {{ log?: (line: string) => void, which?: (record: Registered) => boolean }} [options]
 */
export async function endOrphans(kind, { log = () => {}, which = () => true } = {}, dir = REGISTRY) {
  for (const record of registered(kind, dir)) {
    if (!record.orphan || !which(record)) continue
    log(`ending a ${kind} that a crash left over (process ${record.pid})`)
    await endProcess(record.pid, { graceMs: 10_000, group: true, identity: record.identity })
    rmSync(record.file, { force: true })
  }
}

/** @param {string} dir */
function listDir(dir) {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
