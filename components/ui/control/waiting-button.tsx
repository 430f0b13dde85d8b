'use client'

import { useCallback } from 'react'
import { Ticking } from '../text/ticking.tsx'

interface WaitingButtonProps {
  className: string
  text: string
  busyText: string
  busy: boolean
  /** It cannot be pressed before this moment of the page's clock; null: it can. */
  untilMs: number | null
}

/** Submits a form; stays in its place and counts while the server asks to wait. */
export function WaitingButton({ className, text, busyText, busy, untilMs }: WaitingButtonProps) {
  const left = useCallback(
    (nowMs: number) => `Try again in ${Math.max(1, Math.ceil(((untilMs ?? 0) - nowMs) / 1000))} s`,
    [untilMs],
  )
  return (
    <button type="submit" className={className} aria-disabled={busy || untilMs !== null || undefined}>
      {untilMs !== null ? <Ticking text={left} /> : busy ? busyText : text}
    </button>
  )
}
