'use client'

import { useCallback, useMemo } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { Release } from '../../lib/contract/releases/release.ts'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { Ticking } from '../ui/ticking.tsx'
import { deedOf } from './act-words.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

/** Sent, and not answered. It is never offered to send it again from here. */
export function PendingOutcome({ release, error }: { release: Release; error: unknown }) {
  return (
    <>
      <ResultHead title="Cassandra has not answered yet">
        The {deedOf(release.mode)} was sent; whether it took effect is unknown. Leasehold finds out. Do not
        send it again.
      </ResultHead>
      <ReleaseSteps release={release}>
        <li className="cur">
          <Icon name="verifying" />
          <span>Reading at SERIAL until the answer is final</span>
          <span />
        </li>
        <li className="todo">
          <Icon name="gone" />
          <span>Outcome: it took effect, it did not, or it was superseded</span>
          <span />
        </li>
      </ReleaseSteps>
      <div className="mt-3">
        {error ? (
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Asking again, twice a second.
          </Say>
        ) : (
          release.finalBy !== null && <FinalWithin finalBy={release.finalBy} />
        )}
      </div>
    </>
  )
}

function FinalWithin({ finalBy }: { finalBy: string }) {
  const atMs = useMemo(() => Date.parse(finalBy), [finalBy])
  const text = useCallback((nowMs: number) => durationText(Math.max(0, atMs - serverNow(nowMs))), [atMs])
  return (
    <Say
      icon="clock"
      title={
        <>
          Final within <Ticking text={text} />.
        </>
      }
    >
      You may close this; the outcome goes into the audit log either way.
    </Say>
  )
}
