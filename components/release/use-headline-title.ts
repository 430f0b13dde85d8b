'use client'

import { useEffect } from 'react'
import { onTick } from '../../lib/client/time/ticker.ts'
import { sayTitle } from '../shell/browser-title.tsx'
import type { Headline } from './headline.ts'
import { leftUntil } from './result-head.tsx'

/** Calls the browser's tab as the headline says, time included: it is seen from another tab. */
export function useHeadlineTitle({ act, outcome, owner, untilMs }: Headline, name: string): void {
  useEffect(() => {
    const text = `${act}: ${name}, ${outcome}${owner ? ` ${owner}` : ''}`
    const end = onTick((nowMs) => {
      sayTitle(untilMs === undefined ? text : `${text} ${leftUntil(untilMs, nowMs)}`)
      return 'seconds'
    })
    return () => {
      end()
      sayTitle(null)
    }
  }, [act, outcome, owner, untilMs, name])
}
