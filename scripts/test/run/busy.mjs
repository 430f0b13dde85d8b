import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'

const SAMPLE_MS = 3_000
/** Beside a test alone Cassandra keeps a fifth of two processors busy; beside another run they have no rest. */
const MUCH = 0.6

/** How much of their time the processors worked between two readings. @param {import('node:os').CpuInfo[]} before @param {import('node:os').CpuInfo[]} after @returns {number} from 0 to 1 */
export function busyShare(before, after) {
  const [first, second] = [sum(before), sum(after)]
  const all = second.all - first.all
  return all === 0 ? 0 : 1 - (second.idle - first.idle) / all
}

/** @param {import('node:os').CpuInfo[]} processors */
function sum(processors) {
  let [idle, all] = [0, 0]
  for (const { times } of processors) {
    idle += times.idle
    all += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return { idle, all }
}

/** Whether others work on this machine so much that all of a run's browsers at a time would wait for each other. */
export async function isMachineBusy() {
  const before = cpus()
  await setTimeout(SAMPLE_MS)
  return busyShare(before, cpus()) > MUCH
}
