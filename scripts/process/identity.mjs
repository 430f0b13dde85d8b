import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What distinguishes a process from a later one with the same pid: when it began, and in which boot. Null when there
 * is no such process, or only its unreaped remains.
 *
 * @param {number} pid
 * @returns {string | null}
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') {
    try {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      return identityFromStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), boot)
    } catch {
      return null
    }
  }
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '')
  } catch {
    return null
  }
}

/**
 * The process's name in field 2 may itself hold spaces and parentheses, so fields are counted from the last `)`.
 *
 * @param {string} stat `/proc/<pid>/stat`
 * @param {string} boot
 */
export function identityFromStat(stat, boot) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  if (state === undefined || startTicks === undefined || state === 'Z' || state === 'X') return null
  return `${boot}/${startTicks}`
}
