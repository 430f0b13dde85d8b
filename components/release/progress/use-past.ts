'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { pageClock, pageNow } from '../../../lib/client/time/page-clock.ts'

/** The longest that `setTimeout` takes without overflowing. */
const maxTimerMs = 2 ** 31 - 1

/** Whether a moment by the server's clock, in epoch milliseconds, is past. null: it never is. Renders again when it is. */
export function usePast(atMs: number | null): boolean {
  const [, turn] = useState(0)
  // A timer stands still in a suspend.
  useSyncExternalStore(pageClock.onSuspend, pageClock.resumedAtMs, pageClock.resumedAtMs)
  const leftMs = atMs === null ? null : atMs - serverNow(pageNow())
  useEffect(() => {
    // Not by another look at the clock: a moment that comes between the two would have no timer, and never be past.
    if (leftMs === null || leftMs <= 0) return
    const timer = setTimeout(() => turn((n) => n + 1), Math.min(maxTimerMs, leftMs + 1))
    return () => clearTimeout(timer)
  })
  return leftMs !== null && leftMs <= 0
}
