// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, which no tr can be
'use client'

import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Lane } from '../../../lib/client/lab/lanes/lanes.ts'
import type { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import { type RunClock, runNow } from '../../../lib/client/lab/window/run-clock.ts'
import { nowX, sheetX, ticks, timeWindow, windowOrigin } from '../../../lib/client/lab/window/time-window.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { LaneRow } from './lane-row.tsx'
import { LanesKey } from './lanes-key.tsx'
import { LanesTable } from './lanes-table.tsx'
import { LeaderHead } from './leader-head.tsx'
import { TimeSlider } from './time-slider.tsx'
import { usePicture } from './use-picture.ts'
import { useSheetMotion } from './use-sheet-motion.ts'
import { useTrackWidth } from './use-track-width.ts'

interface LanesBoardProps {
  run: LanesBuilder
  /** Grows with each addition to `run`. */
  revision: number
  clock: RunClock
  ttlSeconds: number
  /** The time that is looked at. null: the present. */
  atMs: number | null
  /** The stream is lost: what is shown of the present was so when it was last heard. */
  isLost: boolean
  onAt: (atMs: number | null) => void
  /** What one can do to a candidate; left out: nothing, as for viewers. */
  controls?: ((lane: Lane) => ReactNode) | undefined
  /** The words above the controls. */
  controlsHead?: ReactNode
}

/** The leader, and below it the lanes against time: the present, or any time before it. */
export function LanesBoard({
  run,
  revision,
  clock,
  ttlSeconds,
  atMs,
  isLost,
  onAt,
  controls,
  controlsHead,
}: LanesBoardProps) {
  const [asTable, setAsTable] = useState(false)
  const board = useRef<HTMLDivElement>(null)
  const window = useMemo(() => timeWindow(ttlSeconds), [ttlSeconds])
  const shownClock = useMemo(() => (atMs === null ? clock : { ...clock, stoppedAtMs: atMs }), [clock, atMs])
  const picture = usePicture({ run, revision, clock: shownClock, whole: asTable, window })
  const originMs = windowOrigin(window, picture.atMs)
  const widthPx = useTrackWidth(board, asTable)
  const sheets = asTable ? 0 : picture.lanes.length
  useSheetMotion(board, { clock: shownClock, window, originMs, sheets, widthPx })
  const isStale = isLost && atMs === null
  const endMs = Math.max(run.lastMs, runNow(clock, pageNow()))

  return (
    <>
      <LeaderHead
        picture={picture}
        clock={shownClock}
        ttlSeconds={ttlSeconds}
        isStale={isStale}
        isOver={atMs === null && clock.stoppedAtMs !== null && !isLost}
      />
      {asTable ? (
        <LanesTable picture={picture} controls={controls} />
      ) : (
        <div
          className="lanes"
          data-stale={isStale || undefined}
          ref={board}
          style={{ '--now': nowX(window, picture.atMs) } as CSSProperties}
        >
          {controlsHead}
          <div className="axis" aria-hidden="true">
            <div className="sheet" data-sheet>
              {ticks(window, picture.atMs).map(({ atMs, text, isOptional }) => (
                <span
                  key={atMs}
                  data-tick={atMs}
                  className={`${isOptional ? 'opt ' : ''}${atMs === 0 ? 'first' : ''}`}
                  style={{ '--x': sheetX(window, originMs, atMs) } as CSSProperties}
                >
                  {text}
                </span>
              ))}
            </div>
          </div>
          <div role="table" aria-label="Candidates against time">
            {picture.lanes.map((lane) => (
              <LaneRow
                key={lane.id}
                lane={lane}
                picture={picture}
                window={window}
                widthPx={widthPx}
                isStale={isStale}
                controls={controls?.(lane)}
              />
            ))}
          </div>
          <div className="nowline" aria-hidden="true">
            <b data-now />
          </div>
        </div>
      )}
      <TimeSlider
        atMs={atMs}
        endMs={endMs}
        isRunning={clock.stoppedAtMs === null}
        isLost={isLost}
        onAt={onAt}
      />
      <LanesKey asTable={asTable} onTable={setAsTable} />
    </>
  )
}
