'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { browserFeedParts, RunFeed, type ShownRun } from '../../../lib/client/lab/run/run-feed.ts'

/** A page that is hidden for longer reads no more; and a run without viewers ends. */
const sleepAfterMs = 15_000

/** A run, live for as long as it is shown. */
export function useRunFeed(run: string): { shown: ShownRun; retry: () => void } {
  const [feed] = useState(
    () =>
      new RunFeed(
        run,
        browserFeedParts(() => void call('getSession', {}).catch(() => {})),
      ),
  )
  const shown = useSyncExternalStore(feed.subscribe, feed.shown, feed.shown)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = () => {
      clearTimeout(timer)
      if (document.hidden) timer = setTimeout(() => feed.sleep(), sleepAfterMs)
      else feed.wake()
    }
    document.addEventListener('visibilitychange', turn)
    feed.wake()
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', turn)
      feed.sleep()
    }
  }, [feed])
  return { shown, retry: () => feed.retry() }
}
