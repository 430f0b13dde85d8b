/**
 * Does `spawning`. Null: the process could not be started. Node.js throws some of the reasons (a file where a directory
 * should be), and reports others by an event that ends the process of a caller who does not listen.
 *
 * @template {import('node:child_process').ChildProcess} T
 * @param {() => T} spawning
 * @returns {(T & { pid: number }) | null}
 */
export function started(spawning) {
  try {
    const child = spawning()
    child.on('error', () => {})
    return child.pid === undefined ? null : /** @type {T & { pid: number }} */ (child)
  } catch {
    return null
  }
}
