'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { leftText } from '../../../lib/client/time/time-text.ts'
import type { LabRun } from '../../../lib/contract/lab/run.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { runEndsText, unwatchedMinutes } from '../run-ends.ts'
import { EndRun } from './end-run.tsx'
import { ShareButton } from './share-button.tsx'
import type { RunActs } from './use-run-acts.ts'

interface RunHeadProps {
  run: LabRun
  viewers: number | null
  acts: RunActs
  isPresenting: boolean
  present: (on: boolean) => void
  onHelp: () => void
}

/** Which run it is, how long it goes on, and what one does with the whole of it. */
export function RunHead({ run, viewers, acts, isPresenting, present, onHelp }: RunHeadProps) {
  const isRunning = run.state === 'running'
  const story = isRunning ? run.story : null
  return (
    <div className="head run-head">
      <h1>
        <PageLink href="/lab">Election lab</PageLink>
      </h1>
      <span className="dim" title={isRunning ? runEndsText : undefined}>
        run <span className="mono">{run.run}</span>, {isRunning ? <EndsIn endsAt={run.endsAt} /> : 'ended'}
      </span>
      <div className="push">
        <button type="button" className="btn quiet sq" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
          <Icon name="info" />
        </button>
        <button
          type="button"
          className="btn quiet"
          aria-keyshortcuts="f"
          onClick={() => present(!isPresenting)}
        >
          <Icon name="screen" />
          {isPresenting ? 'Leave (Esc)' : 'Present'}
        </button>
        <ShareButton viewers={viewers} />
        {story !== null && story.state !== 'ended' && (
          <>
            <LockedButton
              className="btn sq"
              icon="step"
              aria-label="One step"
              aria-keyshortcuts="."
              lock={acts.lock}
              onClick={() => acts.act({ act: 'story', do: 'step' })}
            />
            <LockedButton
              className="btn primary"
              icon={story.state === 'playing' ? 'pause' : 'play'}
              aria-keyshortcuts="p"
              lock={acts.lock}
              onClick={() => acts.act({ act: 'story', do: story.state === 'playing' ? 'pause' : 'play' })}
            >
              {story.state === 'playing' ? 'Pause the story' : 'Play the story'}
            </LockedButton>
          </>
        )}
        {isRunning && <EndRun viewers={viewers} acts={acts} />}
      </div>
    </div>
  )
}

function EndsIn({ endsAt }: { endsAt: string }) {
  const text = useCallback(
    (nowMs: number) => leftText(Math.max(0, Date.parse(endsAt) - serverNow(nowMs))).replace(/\.\d$/, ''),
    [endsAt],
  )
  return (
    <>
      ends in <Ticking text={text} />, or unwatched for {unwatchedMinutes} min
    </>
  )
}
