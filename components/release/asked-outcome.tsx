'use client'

import { useCallback } from 'react'
import { serverNow } from '../../lib/client/call.ts'
import { durationText } from '../../lib/client/time-text.ts'
import type { ReleaseMode } from '../../lib/contract/releases/release.ts'
import { Instant } from '../shell/instant.tsx'
import { Icon } from '../ui/icon.tsx'
import { Say } from '../ui/say.tsx'
import { Ticking } from '../ui/ticking.tsx'
import type { AskStage } from './ask-stage.ts'
import type { OutcomeProps } from './headline.ts'
import { OwnerText } from './owner-text.tsx'
import type { Progress } from './progress.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'
import { WhoBroke } from './who-broke.tsx'

interface AskedOutcomeProps extends OutcomeProps {
  progress: Progress & { of: 'asked' }
  /** Plans another release of the same lease; null: not possible from here. */
  onPlan: ((mode: ReleaseMode) => void) | null
}

/** The request is written. What the holder does about it is read from the lease, for as long as this is shown. */
export function AskedOutcome({ release, headline, progress, onPlan }: AskedOutcomeProps) {
  const { stage, dueMs } = progress
  const { owner, name } = release.planned
  const goesOn = stage.at === 'waiting' || stage.at === 'silent'
  return (
    <>
      <ResultHead headline={headline} name={name}>
        <AskedLead stage={stage} owner={owner} dueMs={dueMs} />
      </ResultHead>
      <ReleaseSteps release={release}>
        {goesOn && (
          <li className="cur">
            <Icon name="verifying" />
            <span>{stage.at === 'waiting' ? 'Waiting for the holder' : 'Still watching the lease'}</span>
            <span />
          </li>
        )}
        {(stage.at === 'resigned' || stage.at === 'expired') && (
          <li className="done">
            <Icon name="check" />
            <span>{stage.at === 'resigned' ? 'Lease released early' : 'Lease expired'}</span>
            <span className="mono small">
              <Instant at={stage.goneAt} digits={3} />
            </span>
          </li>
        )}
      </ReleaseSteps>
      {stage.at === 'silent' && onPlan && (
        <div className="mt-3">
          <Say tone="hold" icon="break" title="You can break the lease.">
            It cannot be acquired until the holder must have stopped; then the next holder can.{' '}
            <button type="button" className="link" onClick={() => onPlan('break')}>
              Plan to break it
            </button>
          </Say>
        </div>
      )}
    </>
  )
}

interface AskedLeadProps {
  stage: AskStage
  owner: string | null
  dueMs: number | null
}

function AskedLead({ stage, owner, dueMs }: AskedLeadProps) {
  const who = <OwnerText owner={owner} />
  switch (stage.at) {
    case 'waiting':
      return dueMs === null ? (
        <>{who} still holds the lease. No renewal was seen, so it may never read the request.</>
      ) : (
        <>
          {who} reads the request at its next renewal
          <DueIn dueMs={dueMs} />
        </>
      )
    case 'silent':
      return (
        <>
          {who} still holds the lease. It may not use the library, may have declined, or may still be
          finishing its work.
        </>
      )
    case 'resigned':
      return 'Released early, by its holder or a program that named it. The next holder can acquire it now.'
    case 'expired':
      return <>{who} did not renew the lease. Whether it read the request is unknown.</>
    case 'taken':
      return stage.broken ? (
        <>
          <WhoBroke lease={stage.lease} /> It cannot be acquired yet.
        </>
      ) : (
        <>{who} does not hold the lease any more.</>
      )
  }
}

function DueIn({ dueMs }: { dueMs: number }) {
  const text = useCallback(
    (nowMs: number) => {
      const leftMs = dueMs - serverNow(nowMs)
      return leftMs > 0 ? `, expected within ${durationText(leftMs)}.` : ', which is due now.'
    },
    [dueMs],
  )
  return <Ticking text={text} />
}
