'use client'

import { useCallback, useMemo } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { errorWords } from '../../lib/client/error-words.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { Release } from '../../lib/contract/release.ts'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { Ticking } from '../ui/ticking.tsx'
import { ReleaseSteps } from './release-steps.tsx'

/** Sent, and not answered. It is never offered to send it again from here. */
export function PendingStep({
  release,
  error,
  onClose,
}: {
  release: Release
  error: unknown
  onClose: () => void
}) {
  return (
    <div className="body first-step">
      <div role="status">
        <DialogTitle>Cassandra has not answered yet</DialogTitle>
        <DialogLead>
          The delete was sent; whether it took effect is unknown. Leasehold finds out. Do not send it again.
        </DialogLead>
      </div>
      <ReleaseSteps release={release}>
        <li className="cur">
          <Icon name="verifying" />
          <span>Reading at SERIAL until the answer is final</span>
          <span />
        </li>
        <li className="todo">
          <Icon name="gone" />
          <span>Outcome: released, not released, or superseded</span>
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
      <div className="acts mt-4 pb-4">
        <button type="button" className="btn push" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
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
      You may close this; the outcome goes into the server’s log either way.
    </Say>
  )
}
