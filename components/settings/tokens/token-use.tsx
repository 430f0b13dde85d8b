'use client'

import { useCallback } from 'react'
import { Ticking } from '../../ui/text/ticking.tsx'
import { lastUseText } from './token-text.ts'

/** When a token was used last, by the page's clock; null: never. */
export function TokenUse({ usedAtMs }: { usedAtMs: number | null }) {
  const text = useCallback((nowMs: number) => lastUseText(nowMs - (usedAtMs ?? 0)), [usedAtMs])
  if (usedAtMs === null) return <span className="dim">never</span>
  return <Ticking text={text} />
}
