'use client'

import { useRef } from 'react'
import { shareLeft } from '../../../lib/client/time/countdown.ts'

interface BarFillProps {
  endsAtMs: number | null
  /** The whole width. */
  ttlSeconds: number | null
  /** The moment at which it stands still; null: it drains from now on. */
  stillAtMs?: number | null
  /** The share that was shown before, from which a renewal jumps back. */
  from?: (() => number | null) | undefined
}

/** The time of a reaction, as `--quick` has it. */
const quickMs = 120

/**
 * The fill of a bar. What CSS needs is written once, when it appears: the share that is left, and for how long it
 * drains. The jump back is an animation of its own that ends and is gone: two on one property would keep the bar from
 * being drawn by the compositor alone, sixty times a second for every row.
 */
export function BarFill({ endsAtMs, ttlSeconds, stillAtMs = null, from }: BarFillProps) {
  const drawn = useRef(false)
  const draw = (element: HTMLElement | null) => {
    if (element === null || drawn.current) return
    drawn.current = true
    const nowMs = stillAtMs ?? performance.now()
    const leftMs = endsAtMs === null ? 0 : Math.max(0, endsAtMs - nowMs)
    const share = shareLeft(endsAtMs, ttlSeconds, nowMs)
    element.style.setProperty('--left', String(share))
    element.style.setProperty('--left2', String(share))
    element.style.setProperty('--dur', `${leftMs}ms`)
    element.style.setProperty('--steps', String(Math.max(1, Math.ceil(leftMs / 1000))))
    const before = from?.() ?? null
    if (
      before === null ||
      Math.abs(share - before) < 0.01 ||
      matchMedia('(prefers-reduced-motion: reduce)').matches
    )
      return
    element.animate([{ transform: `scaleX(${before})` }, { transform: `scaleX(${share})` }], {
      duration: quickMs,
      easing: 'cubic-bezier(.2, 0, 0, 1)',
    })
  }
  return <i ref={draw} />
}
