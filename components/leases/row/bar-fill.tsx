'use client'

import { useEffect, useRef } from 'react'
import { shareLeft } from '../../../lib/client/time/countdown.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { onTick } from '../../../lib/client/time/ticker.ts'

interface BarFillProps {
  endsAtMs: number | null
  /** The whole width. */
  ttlSeconds: number | null
  /** The moment at which it stands still; null: it drains from now on. */
  stillAtMs?: number | null
  /** The share that was shown before, from which a renewal jumps back. */
  from?: (() => number | null) | undefined
  /** It moves by less than a pixel a second: the ticker writes its length. An animation each would cost a layer a row. */
  slow?: boolean
}

/** The smallest change that a row shows, as a share of the width: half a pixel of 200. */
const stepShare = 1 / 400

/** The time of a reaction, as `--quick` has it. */
const quickMs = 120

/**
 * The fill of a bar. What CSS needs is written once, when it appears: the share that is left, and for how long it
 * drains. The jump back is an animation of its own that ends and is gone: two on one property would keep the bar from
 * being drawn by the compositor alone, sixty times a second for every row.
 */
export function BarFill({ endsAtMs, ttlSeconds, stillAtMs = null, from, slow = false }: BarFillProps) {
  const fill = useRef<HTMLElement>(null)
  const drawn = useRef(false)
  useEffect(() => {
    if (!slow) return
    let written: number | undefined
    return onTick((nowMs) => {
      const share = shareLeft(endsAtMs, ttlSeconds, nowMs)
      if (written === undefined || written - share >= stepShare) {
        fill.current?.style.setProperty('--left', String(share))
        fill.current?.style.setProperty('--left2', String(share))
        written = share
      }
      return 'seconds'
    })
  }, [endsAtMs, ttlSeconds, slow])
  const draw = (element: HTMLElement | null) => {
    fill.current = element
    if (element === null || drawn.current) return
    drawn.current = true
    const nowMs = stillAtMs ?? pageNow()
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
