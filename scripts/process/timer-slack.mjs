/**
 * How late Linux may wake a process that waits for a time: it wakes it for several such moments at once. Threads that wait
 * for microseconds again and again, as idle ones of Cassandra do, then use less of a processor.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const OWN = '/proc/self/timerslack_ns'

/**
 * Does `spawning`; the processes that it starts, and all of their threads, have this slack. A process inherits it from the
 * thread that starts it: for others than its own, a process would need rights.
 *
 * @template T
 * @param {number | undefined} micros undefined: as it is
 * @param {() => T} spawning
 * @returns {T}
 */
export function withTimerSlack(micros, spawning) {
  const before = micros === undefined ? null : exchange(String(micros * 1000))
  try {
    return spawning()
  } finally {
    if (before !== null) exchange(before)
  }
}

/** @param {string} nanos @returns {string | null} what it was; null: this system has none */
function exchange(nanos) {
  try {
    const before = readFileSync(OWN, 'utf8').trim()
    writeFileSync(OWN, nanos)
    return before
  } catch {
    return null
  }
}
