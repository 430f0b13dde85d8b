'use client'

import { useCallback } from 'react'
import type { Pace } from '../../../lib/client/time/ticker.ts'
import { ageText, wholeAgeText } from '../../../lib/client/time/time-text.ts'
import { Ticking } from './ticking.tsx'

interface AgeProps {
  /** A moment of the page's clock; one that moves is asked for whenever the text is written. */
  sinceMs: number | (() => number)
  after?: string
  /** In whole seconds: where many ages stand below one another, tenths of each would cost more than they tell. */
  whole?: boolean
}

/** How long ago a moment is: "0.4 s". Always goes on counting. */
export function Age({ sinceMs, after = '', whole = false }: AgeProps) {
  const text = useCallback(
    (nowMs: number) =>
      (whole ? wholeAgeText : ageText)(nowMs - (typeof sinceMs === 'number' ? sinceMs : sinceMs())) + after,
    [sinceMs, after, whole],
  )
  return <Ticking text={text} pace={whole ? seconds : undefined} inHtml={whole} />
}

const seconds = (): Pace => 'seconds'
