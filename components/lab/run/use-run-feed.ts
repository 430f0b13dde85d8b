'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { browserFeedParts, RunFeed, type ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { whileSeen } from '../../../lib/client/while-seen.ts'

/** A run, live for as long as it is shown. A hidden page must not go on reading: a run without viewers ends. */
export function useRunFeed(run: string): { shown: ShownRun; retry: () => void } {
  const [feed] = useState(
    () =>
      new RunFeed(
        run,
        browserFeedParts(() => void call('getSession', {}).catch(() => {})),
      ),
  )
  const shown = useSyncExternalStore(feed.subscribe, feed.shown, feed.shown)
  useEffect(() => whileSeen(feed), [feed])
  return { shown, retry: () => feed.retry() }
}
