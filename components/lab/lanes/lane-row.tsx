// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are grids, which no tr can be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in a row take the focus, not the row
import type { ReactNode } from 'react'
import { laneStates } from '../../../lib/client/lab/lanes/lane-words.ts'
import type { Lane, LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import { laneSentence } from '../../../lib/client/lab/window/lane-facts.ts'
import { laneShapes } from '../../../lib/client/lab/window/lane-shapes.ts'
import type { TimeWindow } from '../../../lib/client/lab/window/time-window.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { laneIcons, laneTitle } from './lane-icons.ts'
import { LaneSheets } from './lane-sheets.tsx'

interface LaneRowProps {
  lane: Lane
  picture: LanesPicture
  window: TimeWindow
  /** Of the track, where a rem has 16. */
  widthPx: number
  /** It was so when the stream was last heard. */
  isStale: boolean
  /** What one can do to the candidate. */
  controls: ReactNode
}

export function LaneRow({ lane, picture, window, widthPx, isStale, controls }: LaneRowProps) {
  const { tone } = laneStates[lane.state]
  const words = isStale ? `${lane.words}, when last heard` : lane.words
  return (
    <div
      className="lane"
      role="row"
      data-state={isStale ? 'waiting' : tone}
      aria-label={`${laneTitle(lane.id)}: ${words}`}
    >
      <div className="id" role="rowheader">
        <div>
          <b className="mono">{lane.id}</b>
          <span className="state">
            <Icon name={isStale ? 'stale' : laneIcons[lane.state]} />
            <span>{lane.words}</span>
          </span>
        </div>
        {controls}
      </div>
      <div className="track" role="cell">
        <span className="vh">{laneSentence(lane)}</span>
        <LaneSheets shapes={laneShapes(lane, picture, window, widthPx)} />
      </div>
    </div>
  )
}
