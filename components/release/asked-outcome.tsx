'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { durationText } from '../../lib/client/time-text.ts'
import { quarantineOf } from '../../lib/contract/leases/quarantine.ts'
import type { Release, ReleaseMode } from '../../lib/contract/releases/release.ts'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { Ticking } from '../ui/ticking.tsx'
import { OwnerText } from './owner-text.tsx'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'
import { useAsked } from './use-asked.ts'
import { WhoBroke } from './who-broke.tsx'

interface AskedOutcomeProps {
  release: Release
  /** To plan another release of the same lease; null: not from here. */
  onPlan: ((mode: ReleaseMode) => void) | null
}

/** The request is written. What the holder does about it is read from the lease, for as long as this is shown. */
export function AskedOutcome({ release, onPlan }: AskedOutcomeProps) {
  const { stage, dueMs } = useAsked(release)
  const { owner } = release.planned
  return (
    <>
      {stage.at === 'waiting' && (
        <ResultHead title="Asked. The holder has not answered yet.">
          <OwnerText owner={owner} /> reads the request at its next renewal
          {dueMs === null ? '.' : <DueIn dueMs={dueMs} />}
        </ResultHead>
      )}
      {stage.at === 'silent' && (
        <ResultHead title="The holder has not answered">
          It may not be written with the library, or it declined, or it is still finishing its work.{' '}
          <OwnerText owner={owner} /> still holds the lease, and goes on.
        </ResultHead>
      )}
      {stage.at === 'resigned' && (
        <ResultHead title="The holder resigned. Nobody holds it.">
          The row went before its time: it was given back. Anybody may acquire it.
        </ResultHead>
      )}
      {stage.at === 'expired' && (
        <ResultHead title="Nobody holds it">
          The row expired: <OwnerText owner={owner} /> did not renew it. Whether it read the request, nobody
          can tell.
        </ResultHead>
      )}
      {stage.at === 'taken' &&
        (quarantineOf(stage.lease.owner, stage.lease.value) === null ? (
          <ResultHead
            title={
              <>
                <OwnerText owner={stage.lease.owner} /> holds it now
              </>
            }
          >
            <OwnerText owner={owner} /> does not hold it any more.
          </ResultHead>
        ) : (
          <ResultHead title="It was broken meanwhile">
            <WhoBroke lease={stage.lease} /> Nobody may acquire it yet.
          </ResultHead>
        ))}
      <ReleaseSteps release={release}>
        {(stage.at === 'waiting' || stage.at === 'silent') && (
          <li className="cur">
            <Icon name="verifying" />
            <span>{stage.at === 'waiting' ? 'Waiting for the holder' : 'Still watching the lease'}</span>
            <span />
          </li>
        )}
      </ReleaseSteps>
      {stage.at === 'silent' && onPlan && (
        <div className="mt-3">
          <Say tone="hold" icon="break" title="It can be broken.">
            Nobody may acquire it until the holder must have stopped; then anybody may.{' '}
            <button type="button" className="link" onClick={() => onPlan('break')}>
              Plan to break it
            </button>
          </Say>
        </div>
      )}
    </>
  )
}

function DueIn({ dueMs }: { dueMs: number }) {
  const text = useCallback(
    (nowMs: number) => {
      const leftMs = dueMs - serverNow(nowMs)
      return leftMs > 0 ? `, within ${durationText(leftMs)}.` : ', which is due now.'
    },
    [dueMs],
  )
  return <Ticking text={text} />
}
