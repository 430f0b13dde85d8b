import { readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ client: import('cassandra-driver').Client, consistencies: Record<string, number>, keyspace: string, root: string, url: string, headers: Record<string, string>, session: import('leasehold/cassandra').CassandraSession, writer: import('leasehold/cassandra').CassandraSession, contactPoint: string, password: string, roles: import('../scripts/cassandra/node.mjs').CassandraNode['roles'], pids: { node: number, server: number }, java: string, isQuick: boolean, minutes: number }} Bench
 *   url, headers and pids.server: of the console; empty and 0 for a benchmark that needs none
 * @typedef {{ title: string, rows?: [string, Summary][], table?: Table, notes?: string[], claim: string, holds: boolean }} Result
 *   rows: milliseconds; table: figures of other kinds
 * @typedef {{ columns: string[], rows: string[][] }} Table the first column says what was measured
 * @typedef {{ p50: number, p95: number, p99: number, max: number }} Summary
 */

/** @param {number[]} samplesMs @returns {Summary} */
export function summary(samplesMs) {
  const sorted = samplesMs.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** @param {number[]} numbers */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/**
 * Runs `work` on every item, at most `width` at once.
 * @template T
 * @param {T[]} items @param {number} width @param {(item: T) => Promise<unknown>} work
 */
export async function inParallel(items, width, work) {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) await work(items[index])
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
}

/** The time that a process has had of the processors, in milliseconds: in steps of 10, on Linux alone. @param {number} pid */
export const processorMs = (pid) => ticksMs(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** The share of it that Java's optimising compiler has had. @param {number} pid of a Java process */
export function optimisingMs(pid) {
  const threads = `/proc/${pid}/task`
  const compilers = readdirSync(threads)
    .map((thread) => readFileSync(`${threads}/${thread}/stat`, 'utf8'))
    .filter((stat) => stat.includes('(C2 Compiler'))
  return compilers.reduce((sum, stat) => sum + ticksMs(stat), 0)
}

/** @param {string} stat of a process or of a thread: proc_pid_stat(5), fields 14 and 15 */
function ticksMs(stat) {
  const fields = stat.replace(/^.*\) /, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
