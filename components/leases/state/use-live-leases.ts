'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { call, readAtServer } from '../../../lib/client/call/call.ts'
import { keys } from '../../../lib/client/call/queries.ts'
import { renewals } from '../../../lib/client/row/renewals.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { type LeaseView, type LeaseWindow, viewKey } from '../../../lib/client/view/lease-view.ts'
import { LiveList, type Shown } from '../../../lib/client/watch/live-list.ts'
import { attention } from '../../../lib/client/watch/shared-watch.ts'
import { WatchStream } from '../../../lib/client/watch/watch-stream.ts'
import { whileSeen } from '../../../lib/client/while-seen.ts'
import type { LeaseList } from '../../../lib/contract/leases/lease.ts'
import { useHydrating } from '../../ui/control/use-hydrating.ts'

/** An elevation comes with a new session id; what runs under the old one ends a moment before the new one is known. */
const newIdMs = 500

/**
 * When the page's HTML began to arrive: what stands in it was read before. A page that was reached by a link was read at
 * the server's `now`: just now, or, on the way back, long ago.
 */
function arrivalMs(hydrating: boolean, now: string): number {
  const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined
  return hydrating && navigation !== undefined ? navigation.responseStart : readAtServer(now, pageNow())
}

/** Rows that a page begins with. `atMs`: when they were read; left out: they stand in the page's HTML. */
export type FirstLeases = Pick<LeaseList, 'leases' | 'now'> & { atMs?: number }

/**
 * A part of a view of the leases, live for as long as it is shown. null: it is not read.
 * @param first what is known of it before the stream has said anything
 */
export function useLiveLeases(
  view: LeaseView,
  window: LeaseWindow | null,
  lost: boolean,
  first: FirstLeases | null = null,
): { list: LiveList; shown: Shown } {
  const client = useQueryClient()
  const hydrating = useHydrating()
  const [begun] = useState(() => {
    if (first === null) return null
    // The rows in HTML count from 0, on the server as in the browser that takes them over.
    const html = inertList()
    html.begin(view, first, 0)
    return html.shown()
  })
  const [list] = useState(() => {
    const made = new LiveList({
      open: (opened, listener) => new WatchStream(opened, listener).open(),
      now: pageNow,
      setTimer: (run, ms) => setTimeout(run, ms),
      clearTimer: (timer) => clearTimeout(timer as number),
      // On the server nothing is remembered: its memory is that of all readers.
      renewals: typeof document === 'undefined' ? undefined : renewals,
      onTrouble: () => client.refetchQueries({ queryKey: keys.cluster }, { cancelRefetch: false }),
      onSession: () => setTimeout(() => call('getSession', {}).catch(() => {}), newIdMs),
      onCounts: attention.note,
    })
    if (first !== null)
      made.begin(
        view,
        first,
        typeof document === 'undefined' ? 0 : (first.atMs ?? arrivalMs(hydrating, first.now)),
      )
    return made
  })
  const shown = useSyncExternalStore(list.subscribe, list.shown, () => begun ?? list.shown())

  const key = viewKey(view)
  const offset = window?.offset
  const limit = window?.limit
  useLayoutEffect(() => {
    if (offset === undefined || limit === undefined) list.leave()
    else list.watch(view, { offset, limit })
  }, [list, key, offset, limit])
  useEffect(() => list.lose(lost), [list, lost])
  useEffect(() => whileSeen(list), [list])
  return { list, shown }
}

/** For what it shows at its beginning alone. */
function inertList(): LiveList {
  return new LiveList({
    open: () => ({ close: () => {} }),
    now: () => 0,
    setTimer: () => undefined,
    clearTimer: () => {},
    onTrouble: () => {},
    onSession: () => {},
  })
}
