'use client'

import { type RefObject, useLayoutEffect } from 'react'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import {
  momentText,
  nowX,
  sheetShift,
  type TimeWindow,
  touchesLabel,
} from '../../../lib/client/lab/window/time-window.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { onTick, type Pace } from '../../../lib/client/time/ticker.ts'

interface Motion {
  readonly clock: RunClock
  readonly window: TimeWindow
  /** What the shapes are placed from. */
  readonly originMs: number
  /** How many lanes there are: a new one has sheets of its own. */
  readonly sheets: number
  /** Of the tracks, in pixels where a rem has 16. */
  readonly widthPx: number
}

/** Longer than an origin stays. */
const movesMs = 70_000

/**
 * Moves the sheets with time. They are animations of the compositor, begun when the origin changes: no script runs between.
 * While the window stands still, at the beginning of a run, the line of the present moves instead. With reduced motion all
 * is moved once a second. Nothing is read from the document, and React renders nothing.
 */
export function useSheetMotion(board: RefObject<HTMLElement | null>, motion: Motion): void {
  const { clock, window, originMs, sheets, widthPx } = motion
  // `sheets`: a lane that joins has sheets that nothing moves yet.
  useLayoutEffect(() => {
    const element = board.current
    if (element === null) return
    const moved = [...element.querySelectorAll<HTMLElement>('[data-sheet]')]
    const present = element.querySelector('[data-now]')
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const shift = (nowMs: number) => `translateX(${-sheetShift(window, originMs, nowMs)}%)`
    let animations: Animation[] = []
    let [share, text] = ['', '']

    const begin = (nowMs: number) => {
      const waitMs = Math.max(0, window.pastMs - nowMs)
      const fromMs = Math.max(nowMs, window.pastMs)
      const frames = [{ transform: shift(fromMs) }, { transform: shift(fromMs + movesMs) }]
      animations = moved.map((sheet) =>
        sheet.animate(frames, { delay: waitMs, duration: movesMs, fill: 'both' }),
      )
    }
    const write = (browserMs: number): Pace => {
      const nowMs = runNow(clock, browserMs)
      if (animations.length === 0) for (const sheet of moved) sheet.style.transform = shift(nowMs)
      const x = nowX(window, nowMs).toFixed(2)
      if (x !== share) element.style.setProperty('--now', x)
      share = x
      const moment = momentText(nowMs)
      if (present !== null && moment !== text) present.textContent = moment
      text = moment
      for (const tick of element.querySelectorAll<HTMLElement>('[data-tick]'))
        tick.toggleAttribute('data-under', touchesLabel(window, nowMs, Number(tick.dataset.tick), widthPx))
      return isCalm ? 'seconds' : 'tenths'
    }

    if (clock.stoppedAtMs !== null) {
      write(0)
      return
    }
    if (!isCalm) begin(runNow(clock, pageNow()))
    const stop = onTick(write)
    return () => {
      stop()
      for (const animation of animations) animation.cancel()
    }
  }, [board, clock, window, originMs, sheets, widthPx])
}
