import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'

const SAMPLE_MS = 3_000
/** Beside another run that is the half, or nearly so; beside an editor and a browser it is a tenth. */
const MUCH = 0.3
/** Linux counts processor time in hundredths of a second, whatever its kernel was built with. */
const TICK_MS = 10

/**
 * A reading of the processors, and of what this run used of them.
 * @typedef {{ processors: import('node:os').CpuInfo[], ownMs: number }} Reading ownMs: all processes of this run together
 */

/** How much of their time the processors worked for others than this run, between two readings. @param {Reading} before @param {Reading} after @returns {number} from 0 to 1 */
export function othersShare(before, after) {
  const [first, second] = [sum(before.processors), sum(after.processors)]
  const all = second.all - first.all
  const others = second.busy - first.busy - (after.ownMs - before.ownMs)
  return all === 0 ? 0 : Math.max(0, others / all)
}

/** @param {import('node:os').CpuInfo[]} processors */
function sum(processors) {
  let [busy, all] = [0, 0]
  for (const { times } of processors) {
    const worked = times.user + times.nice + times.sys + times.irq
    busy += worked
    all += worked + times.idle
  }
  return { busy, all }
}

/**
 * The processor time of a process and of all below it, in milliseconds. Time of processes that have ended is that of the process which waited
 * for them.
 * @param {readonly string[]} stats the text of /proc/PID/stat, for all processes @param {number} root
 */
export function treeMs(stats, root) {
  const processes = stats.map(parsed)
  const tree = new Set([root])
  // A parent is older than its child, and not always of a lower number.
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const { id, parent } of processes) if (tree.has(parent)) tree.add(id)
  }
  return processes.reduce((ms, { id, ticks }) => (tree.has(id) ? ms + ticks * TICK_MS : ms), 0)
}

/** @param {string} stat */
function parsed(stat) {
  // The name of the program stands in parentheses, and may have any character.
  const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Its own time in programs and in the system, then that of its children: fields 14 to 17. `rest` begins with field 5.
  const ticks = rest.slice(9, 13).reduce((all, each) => all + Number(each), 0)
  return { id: Number.parseInt(stat, 10), parent: Number(parent), ticks }
}

/** @returns {Reading} */
const read = () => ({ processors: cpus(), ownMs: treeMs(allStats(), process.pid) })

function allStats() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/stat`, 'utf8')]
      } catch {
        // It has ended.
        return []
      }
    })
}

/**
 * Whether others work on this machine so much that all of a run's browsers or tests at a time would wait for each other. Where the system does not
 * say whose work it is, it is not.
 */
export async function isMachineBusy() {
  if (process.platform !== 'linux') return false
  const before = read()
  await setTimeout(SAMPLE_MS)
  return othersShare(before, read()) > MUCH
}
