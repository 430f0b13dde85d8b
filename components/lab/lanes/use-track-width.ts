'use client'

import { type RefObject, useEffect, useState } from 'react'

/** Until it is measured: of a window of 1440 px. */
const usualPx = 860
/** A change of less moves no word. */
const stepPx = 20

/** The width of the tracks, in pixels where a rem has 16: larger type has less room for its words. */
export function useTrackWidth(board: RefObject<HTMLElement | null>, asTable: boolean): number {
  const [widthPx, setWidthPx] = useState(usualPx)
  useEffect(() => {
    const axis = board.current?.querySelector('.axis')
    if (asTable || axis === null || axis === undefined) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const px = (entry.contentRect.width * 16) / remPx
      setWidthPx(Math.max(stepPx, Math.floor(px / stepPx) * stepPx))
    })
    observer.observe(axis)
    return () => observer.disconnect()
  }, [board, asTable])
  return widthPx
}
