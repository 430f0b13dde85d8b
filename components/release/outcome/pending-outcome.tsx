'use client'

import { useCallback, useMemo } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { deedOf } from '../modes/act-words.ts'
import type { OutcomeProps } from '../progress/headline.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

/** Sent, and its outcome is not certain. It is never offered to send it again from here. */
export function PendingOutcome({ release, headline, error }: OutcomeProps & { error: unknown }) {
  return (
    <>
      <ResultHead headline={headline} name={release.planned.name}>
        The {deedOf(release.mode)} was sent; whether it took effect is unknown. Leasehold is finding out. Do
        not send it again.
      </ResultHead>
      <ReleaseSteps release={release}>
        <li className="cur">
          <Icon name="verifying" />
          <span>Reading at SERIAL until the outcome is final</span>
          <span />
        </li>
        <li className="todo">
          <Icon name="gone" />
          <span>Outcome: took effect, did not take effect, or unclear</span>
          <span />
        </li>
      </ReleaseSteps>
      <div className="mt-3">
        {error ? (
          <Say tone="warn" icon="stale" title={errorWords(error).title}>
            Retrying twice a second.
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
          The outcome is final within <Ticking text={text} />.
        </>
      }
    >
      You can close this; the audit log gets the outcome either way.
    </Say>
  )
}
