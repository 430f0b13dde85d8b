import type { Timer } from '../time/index.ts'

/**
 * A timer whose waits all go through one function, so that a test can pause a process or let it crash: a crashed
 * process's wait never ends.
 */
export const timerOver = (sleep: Timer['sleep']): Timer => ({
  sleep,
  after: (ms, work) => {
    const cancelled = new AbortController()
    void sleep(ms, cancelled.signal).then(() => {
      if (!cancelled.signal.aborted) work()
    })
    return () => cancelled.abort()
  },
})
