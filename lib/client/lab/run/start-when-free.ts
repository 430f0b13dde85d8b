import { codeOf } from '../../call/api-error.ts'

/**
 * A run keeps its place for ten seconds from its start at least, and gives it up when its journal is written: for so long after the end of one
 * the server may say that there is no room for another.
 */
export const placeFreeWithinMs = 15_000
const everyMs = 1_000

/** Starts a run after one that has ended: again and again until its place is free. @throws what the last try throws */
export async function startWhenFree<T>(start: () => Promise<T>, sleep = sleeping): Promise<T> {
  for (let leftMs = placeFreeWithinMs; ; leftMs -= everyMs) {
    try {
      return await start()
    } catch (thrown) {
      if (codeOf(thrown) !== 'lab-full' || leftMs <= 0) throw thrown
    }
    await sleep(everyMs)
  }
}

const sleeping = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
