'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import type { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import { type TimeWindow, windowStart } from '../../../lib/client/lab/window/time-window.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { onTick } from '../../../lib/client/time/ticker.ts'

/** At most ten renders a second, however fast entries come. */
const leastGapMs = 100
/** What has just left the window is kept, so that it does not vanish at its edge. */
const marginMs = 2_000

interface Shown {
  run: LanesBuilder
  /** Grows with each addition to `run`. */
  revision: number
  clock: RunClock
  /** The whole run, not the window alone. */
  whole: boolean
  window: TimeWindow
}

/** The picture of the present, or of the time at which the clock stands: again when entries come, and once a second. */
export function usePicture({ run, revision, clock, whole, window }: Shown): LanesPicture {
  const shown = useThrottled(revision)
  const second = useSeconds(clock.stoppedAtMs === null)
  return useMemo(() => {
    const nowMs = runNow(clock, pageNow())
    const fromMs = whole ? Number.NEGATIVE_INFINITY : windowStart(window, nowMs) - marginMs
    return clock.stoppedAtMs === null ? run.live(nowMs, fromMs) : run.at(nowMs, fromMs)
  }, [run, clock, whole, window, shown, second])
}

function useThrottled(revision: number): number {
  const [shown, setShown] = useState(revision)
  const shownAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (revision === shown) return
    const waitMs = Math.max(0, shownAtMs.current + leastGapMs - pageNow())
    const timer = setTimeout(() => {
      shownAtMs.current = pageNow()
      setShown(revision)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [revision, shown])
  return shown
}

function useSeconds(runs: boolean): number {
  const [second, setSecond] = useState(0)
  useEffect(() => {
    if (!runs) return
    return onTick(() => {
      setSecond((before) => before + 1)
      return 'seconds'
    })
  }, [runs])
  return second
}
