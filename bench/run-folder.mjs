/**
 * The folder of one run: its node's data and what its console writes. A run removes it at its end; one that was killed
 * leaves it, and its node perhaps, for the next run to end and to remove.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endLeftOverNode } from '../scripts/cassandra/state/left-over.mjs'
import { livePidRecord, writePidFile } from '../scripts/process/pid-file.mjs'
import { endOrphans } from '../scripts/process/registry.mjs'

/**
 * Makes the folder of this run, after those of earlier runs are removed. A run beside this one keeps its own.
 *
 * @param {string} dataDir absolute
 * @param {{ log: (line: string) => void }} options
 * @returns {Promise<{ name: string, path: string, remove: () => void }>} name: good for a keyspace too
 */
export async function makeRunFolder(dataDir, { log }) {
  const names = readdirSync(dataDir).flatMap((entry) => /^(bench_\w+)(\.json)?$/.exec(entry)?.[1] ?? [])
  for (const name of new Set(names)) {
    const path = join(dataDir, name)
    if (livePidRecord(ownerOf(path)) === null) await removeLeftOver(path, log)
  }
  const name = `bench_${Date.now().toString(36)}`
  const path = join(dataDir, name)
  // Before the folder is there: another run would take one without an owner for left over.
  writePidFile(ownerOf(path), process.pid)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { name, path, remove: () => remove(path) }
}

/** Beside the folder, not in it. @param {string} path */
const ownerOf = (path) => `${path}.json`

/** @param {string} path @param {(line: string) => void} log */
async function removeLeftOver(path, log) {
  log(`removing what an earlier run left over (${path})`)
  await endOrphans('server', { log, which: (record) => record.dataDir === path })
  await endLeftOverNode(path, log)
  remove(path)
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true })
  rmSync(ownerOf(path), { force: true })
}
