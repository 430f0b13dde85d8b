/**
 * What a run consists of, as tasks beside each other: each begins when those that it needs have ended well. The first
 * that fails ends the others, and what has not begun does not begin.
 *
 * @typedef {{ needs?: string[], run(signal: AbortSignal): Promise<unknown> }} Task
 *   needs: names; one that is not in the list counts as done. run: `false` means failed, and that the task has said so
 */

/**
 * @param {Record<string, Task>} tasks
 * @param {AbortSignal} signal ends all of them
 * @returns {Promise<boolean>} whether all went well
 * @throws what the first task threw that did not end well
 */
export async function runTasks(tasks, signal) {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  /** @type {Map<string, Promise<void>>} */
  const begun = new Map()
  /** @type {{ error: unknown } | undefined} */
  let thrown

  /** @param {string} name @param {string[]} path @returns {Promise<void>} */
  const begin = (name, path = []) => {
    if (path.includes(name)) throw new Error(`A task needs itself: ${[...path, name].join(' → ')}`)
    let task = begun.get(name)
    if (task === undefined) {
      task = perform(/** @type {Task} */ (tasks[name]), [...path, name])
      begun.set(name, task)
    }
    return task
  }

  /** @param {Task} task @param {string[]} path */
  const perform = async ({ needs = [], run }, path) => {
    await Promise.all(needs.filter((need) => need in tasks).map((need) => begin(need, path)))
    if (either.aborted) return
    try {
      if ((await run(either)) === false) stop.abort()
    } catch (error) {
      // A task that was ended because of another one is not the cause.
      if (!either.aborted) thrown = { error }
      stop.abort()
    }
  }

  await Promise.all(Object.keys(tasks).map((name) => begin(name)))
  signal.throwIfAborted()
  if (thrown) throw thrown.error
  return !stop.signal.aborted
}
