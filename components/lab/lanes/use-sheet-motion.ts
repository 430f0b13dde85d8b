'use client'

import { type RefObject, useLayoutEffect } from 'react'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import {
  momentText,
  nowX,
  sheetShift,
  type TimeWindow,
  windowOrigin,
} from '../../../lib/client/lab/window/time-window.ts'
import { onTick } from '../../../lib/client/time/ticker.ts'

/**
 * Moves the sheets with time. Each frame writes one transform a sheet; nothing is read from the document, and React
 * renders nothing. With reduced motion they are moved once a second.
 *
 * @param drawnAtMs the time of the picture that is drawn: its shapes are placed from the origin of its window
 */
export function useSheetMotion(
  board: RefObject<HTMLElement | null>,
  { clock, window, drawnAtMs }: { clock: RunClock; window: TimeWindow; drawnAtMs: number },
): void {
  useLayoutEffect(() => {
    const element = board.current
    if (element === null) return
    const sheets = [...element.querySelectorAll<HTMLElement>('[data-sheet]')]
    const present = element.querySelector('[data-now]')
    const originMs = windowOrigin(window, drawnAtMs)
    let [share, text] = ['', '']
    const write = (browserMs: number) => {
      // Never before what is drawn: an entry may come before the clock’s estimate says so.
      const nowMs = Math.max(runNow(clock, browserMs), drawnAtMs)
      const shift = `translateX(${-sheetShift(window, originMs, nowMs)}%)`
      for (const sheet of sheets) sheet.style.transform = shift
      const x = nowX(window, nowMs).toFixed(3)
      if (x !== share) element.style.setProperty('--now', x)
      share = x
      const moment = momentText(nowMs)
      if (present !== null && moment !== text) present.textContent = moment
      text = moment
    }
    if (clock.stoppedAtMs !== null) {
      write(0)
      return
    }
    if (matchMedia('(prefers-reduced-motion: reduce)').matches)
      return onTick((browserMs) => {
        write(browserMs)
        return 'seconds'
      })
    let frame = 0
    const next = (browserMs: number) => {
      write(browserMs)
      frame = requestAnimationFrame(next)
    }
    next(performance.now())
    return () => cancelAnimationFrame(frame)
  }, [board, clock, window, drawnAtMs])
}
