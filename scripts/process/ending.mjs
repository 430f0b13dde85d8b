import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity } from './identity.mjs'

/**
 * Asks a process to end, and after `graceMs` makes it. Returns when it is gone.
 *
 * @param {number} pid
 * @param {{ graceMs: number, group?: boolean, identity?: string | null }} options group: end what it started as well;
 *   it must then have been started as a leader of its own process group
 * @returns {Promise<'asked' | 'forced' | 'gone'>}
 */
export async function endProcess(pid, { graceMs, group = false, identity = processIdentity(pid) }) {
  // The identity is looked at before every signal: a pid that was passed on must not be hit.
  const alive = () => identity !== null && processIdentity(pid) === identity
  if (!alive()) return 'gone'
  sendSignal(pid, 'SIGTERM', group)
  if (await until(() => !alive(), graceMs)) return 'asked'
  sendSignal(pid, 'SIGKILL', group)
  await until(() => !alive(), 10_000)
  return 'forced'
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 * @param {boolean} group
 */
export function sendSignal(pid, signal, group) {
  try {
    process.kill(group ? -pid : pid, signal)
  } catch {
    // It went by itself in between.
  }
}

/**
 * @param {() => boolean | Promise<boolean>} condition
 * @param {number} timeoutMs
 * @param {{ everyMs?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<boolean>} whether the condition came true in time
 */
export async function until(condition, timeoutMs, { everyMs = 50, signal } = {}) {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    if (await condition()) return true
    signal?.throwIfAborted()
    if (performance.now() >= deadlineMs) return false
    await sleep(everyMs)
  }
}
