import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { endProcess } from '../../process/ending.mjs'
import { livePidRecord } from '../../process/pid-file.mjs'
import { portsReleased } from '../../process/ports.mjs'
import { markOf } from '../settings/java-options.mjs'
import { nodePlaces } from '../settings/places.mjs'

/**
 * Ends the node that a crashed owner left running in this directory, if there is one. A process is touched only
 * when the pid file's identity and its own command line both say that it is the node of this very directory.
 *
 * @param {string} dataDir absolute
 * @param {(line: string) => void} log
 * @returns {Promise<boolean>} whether there was one
 */
export async function endLeftOverNode(dataDir, log) {
  const { pidFile } = nodePlaces(dataDir)
  const record = livePidRecord(pidFile)
  if (record === null || !isNodeOf(commandLine(record.pid), dataDir)) {
    rmSync(pidFile, { force: true })
    return false
  }
  log(`ending the node that a crash left over (process ${record.pid})`)
  await endProcess(record.pid, { graceMs: 20_000, group: true, identity: record.identity })
  const ports = Array.isArray(record.ports) ? record.ports : []
  // Ports that another program has taken by then are no obstacle: the next node gets others.
  await portsReleased(ports, { timeoutMs: 20_000 })
  rmSync(pidFile, { force: true })
  return true
}

/**
 * @param {string[]} command a process's arguments
 * @param {string} dataDir absolute
 */
export function isNodeOf(command, dataDir) {
  return command.includes(markOf(dataDir)) && command.some((word) => word.endsWith('CassandraDaemon'))
}

/** @param {number} pid @returns {string[]} empty when it cannot be read */
function commandLine(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // `ps` joins with spaces; a data directory with a space in its name is then not recognised, and left alone.
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).split(/\s+/)
  } catch {
    return []
  }
}
