'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { releaseModes } from '../../../lib/contract/releases/release-modes.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import type { OutcomeProps } from '../progress/headline.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

/** Requested, and nothing was sent: another person must approve, of the role that the mode needs. */
export function AwaitingOutcome({ release, headline, error }: OutcomeProps & { error: unknown }) {
  const { approval, mode, plannedBy } = release
  const { role } = releaseModes[mode ?? 'ask']
  return (
    <>
      <ResultHead headline={headline} name={release.planned.name}>
        This lease needs two people. Any {role} other than <b>{plannedBy}</b> can approve. Nothing was sent
        yet.
      </ResultHead>
      <ReleaseSteps release={release}>
        <li className="cur">
          <Icon name="verifying" />
          <span>Waiting for approval{approval && <Until until={approval.until} />}</span>
          <span className="mono small">{approval && <Instant at={approval.until} />}</span>
        </li>
        <li className="todo">
          <Icon name="gone" />
          <span>Re-read the holder, then carry it out</span>
          <span />
        </li>
      </ReleaseSteps>
      {error !== null && (
        <div className="mt-3">
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Retrying every second.
          </Say>
        </div>
      )}
    </>
  )
}

function Until({ until }: { until: string }) {
  const text = useCallback(
    (nowMs: number) => {
      const leftMs = Date.parse(until) - serverNow(nowMs)
      return leftMs > 0 ? `, for ${durationText(Math.floor(leftMs / 1000) * 1000)} more` : ', too late now'
    },
    [until],
  )
  return <Ticking text={text} />
}
