'use client'

import { type ReactNode, useMemo } from 'react'
import type { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { bakeryLine } from '../../../lib/client/lab/run/bakery-line.ts'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { TimeSlider } from '../lanes/time-slider.tsx'
import { BakeryView } from './bakery-view.tsx'

interface BakeryBoardProps {
  run: LanesBuilder
  /** Grows with each addition to `run`. */
  revision: number
  clock: RunClock
  /** The time that is looked at. null: the present. */
  atMs: number | null
  /** The stream is lost: what is shown of the present was so when it was last heard. */
  isLost: boolean
  hasEnded: boolean
  onAt: (atMs: number | null) => void
  controls?: ((customer: string) => ReactNode) | undefined
}

/** In place of the leader and the lanes: the bakery has no lease, and none of its customers leads. */
export function BakeryBoard({
  run,
  revision,
  clock,
  atMs,
  isLost,
  hasEnded,
  onAt,
  controls,
}: BakeryBoardProps) {
  const { entries } = run
  const endMs = Math.max(run.lastMs, runNow(clock, pageNow()))
  // Rows expire between two entries, too: at the next heartbeat the line shows it.
  const line = useMemo(
    () => bakeryLine(entries, atMs === null ? { nowMs: endMs, hasEnded } : { atMs }),
    [entries, revision, atMs, endMs, hasEnded],
  )
  return (
    <div className="bakery-board" data-stale={(isLost && atMs === null) || undefined}>
      <BakeryView line={line} controls={controls} />
      <TimeSlider
        atMs={atMs}
        endMs={endMs}
        isRunning={clock.stoppedAtMs === null}
        isLost={isLost}
        onAt={onAt}
      />
    </div>
  )
}
