'use client'

import { useEffect } from 'react'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { slowTickMs } from '../../lib/client/time/ticker.ts'
import { sayTitle } from '../shell/truth/browser-title.tsx'
import { leftUntil } from './outcome/result-head.tsx'
import type { Headline } from './progress/headline.ts'

/** Calls the browser's tab as the headline says, time included: it is seen from another tab. */
export function useHeadlineTitle({ act, outcome, owner, untilMs }: Headline, name: string): void {
  useEffect(
    () => keepTitle(`${act}: ${name}, ${outcome}${owner ? ` ${owner}` : ''}`, untilMs),
    [act, outcome, owner, untilMs, name],
  )
}

/**
 * Calls the tab `text`, and after it the time until `untilMs`. With a timer of its own: the page's ticker stands still while the tab
 * is hidden, which is when its title is read.
 * @returns ends it
 */
export function keepTitle(text: string, untilMs: number | undefined): () => void {
  const say = () => sayTitle(untilMs === undefined ? text : `${text} ${leftUntil(untilMs, pageNow())}`)
  say()
  const timer = untilMs === undefined ? undefined : setInterval(say, slowTickMs)
  return () => {
    clearInterval(timer)
    sayTitle(null)
  }
}
