'use client'

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { codeOf, isApiError } from '../../../lib/client/call/api-error.ts'
import { pageClock, pageNow } from '../../../lib/client/time/page-clock.ts'

interface RetryWait {
  /** By the page's clock; null: there is no wait. */
  untilMs: number | null
  /** Begins the wait that an error asks for; any other error ends it. */
  begin: (error: unknown) => void
  isOn: () => boolean
}

/** How long the server asks to wait after too many attempts. */
export function useRetryWait(): RetryWait {
  const [untilMs, setUntilMs] = useState<number | null>(null)
  // State would be too late for a submit that comes before it is rendered.
  const until = useRef<number | null>(null)
  const set = (next: number | null) => {
    until.current = next
    setUntilMs(next)
  }
  // A timer stands still in a suspend.
  const resumedAtMs = useSyncExternalStore(pageClock.onSuspend, pageClock.resumedAtMs, pageClock.resumedAtMs)
  useEffect(() => {
    if (untilMs === null) return
    const timer = setTimeout(() => set(null), Math.max(0, untilMs - pageNow()))
    return () => clearTimeout(timer)
  }, [untilMs, resumedAtMs])
  return {
    untilMs,
    begin: (error) => {
      const waits = codeOf(error) === 'too-many-attempts' && isApiError(error) && error.retryAfterMs
      set(waits ? pageNow() + waits : null)
    },
    isOn: () => until.current !== null,
  }
}
