/** For each signal, what to call when it aborts. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `work` once when the signal aborts, or at once when it has. However many callers wait for one signal, the
 * signal has one listener: Node warns of a leak at the eleventh. A `work` that throws keeps no other from being called.
 * @returns a function that ends the waiting
 */
export function onAbort(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    work()
    return () => {}
  }
  let all = waiting.get(signal)
  if (all === undefined) {
    const mine = new Set<() => void>()
    signal.addEventListener('abort', () => runAll(mine), { once: true })
    waiting.set(signal, mine)
    all = mine
  }
  // A function of its own: the same `work` may wait twice.
  const entry = () => work()
  all.add(entry)
  return () => void all.delete(entry)
}

function runAll(all: Set<() => void>): void {
  for (const work of [...all]) {
    // A listener before it may have taken it back.
    if (!all.delete(work)) continue
    try {
      work()
    } catch (error) {
      // As of a listener of its own: all others are called, and the error is an uncaught one.
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
