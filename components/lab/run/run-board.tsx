'use client'

import { type ReactNode, useMemo } from 'react'
import type { Lane, LanesPicture } from '../../../lib/client/lab/lanes/lanes.ts'
import type { LanesBuilder } from '../../../lib/client/lab/lanes/lanes-builder.ts'
import type { ShownRun } from '../../../lib/client/lab/run/run-feed.ts'
import { runNow } from '../../../lib/client/lab/window/run-clock.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { BakeryBoard } from '../bakery/bakery-board.tsx'
import { ControlWords, LaneControls } from '../controls/lane-controls.tsx'
import { LanesBoard } from '../lanes/lanes-board.tsx'
import { CountersPanel } from '../proof/counters-panel.tsx'
import { Downloads } from '../proof/downloads.tsx'
import { VerdictPanel } from '../proof/verdict-panel.tsx'
import { SaidPanel } from '../said/said-panel.tsx'
import { LeaseActs } from './lease-acts.tsx'
import type { RunActs } from './use-run-acts.ts'

interface RunBoardProps {
  shown: ShownRun & { [K in 'run' | 'lanes' | 'clock']: NonNullable<ShownRun[K]> }
  acts: RunActs
  /** The time that is looked at. null: the present. */
  atMs: number | null
  onAt: (atMs: number | null) => void
}

/** Without what has ended: the panels ask for the leader and the counters alone. */
const whatIsNow = (lanes: LanesBuilder, nowMs: number): LanesPicture => lanes.live(nowMs, nowMs)

function controlsAt(picture: LanesPicture, id: string, controls: (lane: Lane) => ReactNode): ReactNode {
  const lane = picture.lanes.find((each) => each.id === id)
  return lane === undefined ? null : controls(lane)
}

/** The lanes, and below them what is said, what was counted, and what it proves. */
export function RunBoard({ shown, acts, atMs, onAt }: RunBoardProps) {
  const { run, lanes, revision, clock, verdict } = shown
  const { entries } = lanes
  // A run that has ended is read from its journal: nothing more can come.
  const isLost = shown.silence !== null && run.state === 'running'
  const isBakery = run.scenario === 'bakery'
  const picture = useMemo(
    () => (atMs === null ? whatIsNow(lanes, runNow(clock, pageNow())) : lanes.at(atMs, atMs)),
    [lanes, revision, clock, atMs],
  )
  const { act, lock } = acts
  const isActing = lock === null && atMs === null
  const controls = useMemo(
    () => (isActing ? (lane: Lane) => <LaneControls lane={lane} act={act} isBakery={isBakery} /> : undefined),
    [isActing, act, isBakery],
  )
  const hasCounters = picture.counters !== null || !picture.deadlineCheck
  return (
    <div className="run-board">
      {isBakery ? (
        <BakeryBoard
          run={lanes}
          revision={revision}
          clock={clock}
          atMs={atMs}
          isLost={isLost}
          hasEnded={run.state === 'ended'}
          onAt={onAt}
          controls={controls && ((customer) => controlsAt(picture, customer, controls))}
        />
      ) : (
        <LanesBoard
          run={lanes}
          revision={revision}
          clock={clock}
          ttlSeconds={run.ttlSeconds}
          atMs={atMs}
          isLost={isLost}
          onAt={onAt}
          controls={controls}
          controlsHead={controls && <ControlWords />}
        />
      )}
      {acts.mayAct && run.state === 'running' && (
        <LeaseActs picture={picture} isBakery={isBakery} acts={acts} />
      )}
      <div className="below">
        <SaidPanel
          entries={entries}
          revision={revision}
          atMs={atMs}
          senders={[...picture.lanes.map(({ id }) => id), 'lab']}
        />
        <div>
          {!isBakery && (hasCounters || run.state === 'running') && (
            <CountersPanel picture={picture} acts={acts} />
          )}
          <VerdictPanel verdict={verdict} isRunning={run.state === 'running'} onAt={onAt} />
          <Downloads run={run} entries={entries} verdict={verdict} />
        </div>
      </div>
    </div>
  )
}
