'use client'

import { useCallback } from 'react'
import { ageText } from '../../lib/client/time-text.ts'
import { Ticking } from './ticking.tsx'

/** How long ago a moment of `performance.now()` is: "0.4 s". Always goes on counting. */
export function Age({ sinceMs, after = '' }: { sinceMs: number; after?: string }) {
  const text = useCallback((nowMs: number) => ageText(nowMs - sinceMs) + after, [sinceMs, after])
  return <Ticking text={text} />
}
