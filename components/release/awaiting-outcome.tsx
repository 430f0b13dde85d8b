'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/instant.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { Ticking } from '../ui/ticking.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

/** Requested, and nothing was sent: another operator has to approve. */
export function AwaitingOutcome({ release, error }: { release: Release; error: unknown }) {
  const { approval, plannedBy } = release
  return (
    <>
      <ResultHead title="Waits for a second person">
        Leases with this prefix are released by two people. Any operator other than <b>{plannedBy}</b> may
        approve it. Nothing was sent yet.
      </ResultHead>
      <ReleaseSteps release={release}>
        <li className="cur">
          <Icon name="verifying" />
          <span>Waiting for an approval{approval && <Until until={approval.until} />}</span>
          <span className="mono small">{approval && <Instant at={approval.until} />}</span>
        </li>
        <li className="todo">
          <Icon name="gone" />
          <span>The holder is read again, and it is carried out</span>
          <span />
        </li>
      </ReleaseSteps>
      {error !== null && (
        <div className="mt-3">
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Asking again every second.
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
      return leftMs > 0
        ? `, for ${durationText(Math.floor(leftMs / 1000) * 1000)} more`
        : ', whose time is up'
    },
    [until],
  )
  return <Ticking text={text} />
}
