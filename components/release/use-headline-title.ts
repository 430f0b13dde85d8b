'use client'

import { useEffect } from 'react'
import { onTick } from '../../lib/client/time/ticker.ts'
import { sayTitle } from '../shell/truth/browser-title.tsx'
import { leftUntil } from './outcome/result-head.tsx'
import type { Headline } from './progress/headline.ts'

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
