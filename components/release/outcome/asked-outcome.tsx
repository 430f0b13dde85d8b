'use client'

import { useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { WhoBroke } from '../holder/who-broke.tsx'
import { unseenRenewal } from '../modes/overlap-text.ts'
import type { AskStage } from '../progress/ask-stage.ts'
import type { OutcomeProps } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

interface AskedOutcomeProps extends OutcomeProps {
  progress: Progress & { of: 'asked' }
  /** Plans another release of the same lease; null: not possible from here. */
  onPlan: ((mode: ReleaseMode) => void) | null
}

/** The request is written. What the holder does about it is read from the lease, for as long as this is shown. */
export function AskedOutcome({ release, headline, progress, onPlan }: AskedOutcomeProps) {
  const { stage, dueMs, renewedAt } = progress
  const { owner, name } = release.planned
  const goesOn = stage.at === 'waiting' || stage.at === 'silent'
  const how = stage.at === 'taken' ? stage.how : stage.at
  const goneAt = stage.at === 'taken' || stage.at === 'resigned' ? stage.goneAt : null
  return (
    <>
      <ResultHead headline={headline} name={name}>
        <AskedLead stage={stage} owner={owner} dueMs={dueMs} renewedAt={renewedAt} />
      </ResultHead>
      <ReleaseSteps release={release}>
        {goesOn && (
          <li className="cur">
            <Icon name="verifying" />
            <span>{stage.at === 'waiting' ? 'Waiting for the holder' : 'Still watching the lease'}</span>
            <span />
          </li>
        )}
        {how === 'resigned' && <EndedStep text="The holder released it, as asked, before" at={goneAt} />}
        {how === 'killed' && <EndedStep text="An operator killed the lease" at={null} />}
        {stage.at === 'expired' && <EndedStep text="Lease expired" at={stage.expiresAt} />}
        {how === 'ended' && <EndedStep text="No longer held; how that ended was not recorded" at={null} />}
      </ReleaseSteps>
      {stage.at === 'silent' && onPlan && (
        <div className="mt-3">
          <Say tone="hold" icon="break" title="You can break the lease.">
            It cannot be acquired until the old holder’s time is over; then the next holder can.{' '}
            <button type="button" className="link" onClick={() => onPlan('break')}>
              Plan to break it
            </button>
          </Say>
        </div>
      )}
    </>
  )
}

function EndedStep({ text, at }: { text: string; at: string | null }) {
  return (
    <li className="done">
      <Icon name="check" />
      <span>{text}</span>
      <span className="mono small">{at !== null && <Instant at={at} digits={3} />}</span>
    </li>
  )
}

interface AskedLeadProps {
  stage: AskStage
  owner: string | null
  dueMs: number | null
  renewedAt: string | null
}

function AskedLead({ stage, owner, dueMs, renewedAt }: AskedLeadProps) {
  const who = <OwnerText owner={owner} />
  switch (stage.at) {
    case 'waiting':
      if (renewedAt !== null)
        return (
          <>
            {who} renewed the lease at <Instant at={renewedAt} zoned />, after the request. No answer yet.
          </>
        )
      return dueMs === null ? (
        <>
          {who} still holds the lease. {unseenRenewal}, so it may never read the request.
        </>
      ) : (
        <>
          {who} can read the request at its next renewal
          <DueIn dueMs={dueMs} />
        </>
      )
    case 'silent':
      return (
        <>
          {who} still holds the lease
          {renewedAt !== null && (
            <>
              {' '}
              and renewed it at <Instant at={renewedAt} zoned />
            </>
          )}
          . It may be a program that does not read requests, may have declined, or may still be finishing its
          work.
        </>
      )
    case 'resigned':
      return (
        <>
          {who} released the lease after the request, before its time was over. The next holder can acquire it
          now.
        </>
      )
    case 'killed':
      return 'An operator killed the lease after the request. It is free.'
    case 'expired':
      return <>{who} did not renew the lease. Whether it read the request is unknown.</>
    case 'ended':
      return <>{who} no longer holds the lease; how that ended was not recorded. The lease is free.</>
    case 'broken':
      return (
        <>
          <WhoBroke lease={stage.lease} /> It cannot be acquired yet.
        </>
      )
    case 'taken':
      if (stage.how === 'resigned')
        return <>{who} released the lease after the request, before its time was over.</>
      if (stage.how === 'killed') return 'An operator killed the lease after the request.'
      return <>{who} no longer holds the lease; how that ended was not recorded.</>
  }
}

function DueIn({ dueMs }: { dueMs: number }) {
  const text = useCallback(
    (nowMs: number) => {
      const leftMs = dueMs - serverNow(nowMs)
      return leftMs > 0
        ? `, expected within ${durationText(leftMs)}.`
        : '. The renewal was expected by now and was not seen yet.'
    },
    [dueMs],
  )
  return <Ticking text={text} />
}
