'use client'

import { type ReactNode, useCallback } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import type { ReleaseMode } from '../../../lib/contract/releases/release.ts'
import { UntilText } from '../../lease/facts/until-text.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { MayStillAct } from '../holder/may-still-act.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import { WhoBroke } from '../holder/who-broke.tsx'
import { unseenRenewal } from '../modes/overlap-text.ts'
import type { AskEnd, AskStage } from '../progress/ask-stage.ts'
import { goesOn, type OutcomeProps } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { usePast } from '../progress/use-past.ts'
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
  const step = stage.at in goesOn ? goesOn[stage.at as keyof typeof goesOn] : null
  const end = stage.at === 'taken' || stage.at === 'free' ? stage.end : null
  return (
    <>
      <ResultHead headline={headline} name={name}>
        <AskedLead stage={stage} owner={owner} dueMs={dueMs} renewedAt={renewedAt} />
      </ResultHead>
      {end !== null && 'mayActUntilMs' in end && (
        <OldMayAct wasKilled={end.how === 'killed'} untilMs={end.mayActUntilMs} />
      )}
      <ReleaseSteps release={release}>
        {step !== null && (
          <li className="cur">
            <Icon name="verifying" />
            <span>{step}</span>
            <span />
          </li>
        )}
        {end !== null && <EndedStep end={end} />}
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

/** For as long as the holder that was asked may not know that it lost the lease. */
function OldMayAct({ wasKilled, untilMs }: { wasKilled: boolean; untilMs: number | null }) {
  const isOver = usePast(untilMs)
  if (isOver) return null
  return (
    <p className="mt-2">
      {wasKilled ? <KilledMayAct untilMs={untilMs} /> : <MayStillAct untilMs={untilMs} />}
    </p>
  )
}

function KilledMayAct({ untilMs }: { untilMs: number | null }) {
  return untilMs === null ? (
    'The lease had no expiry, so the killed holder may still act until its next renewal is refused.'
  ) : (
    <>
      The killed holder may still act until <UntilText at={untilMs} />, its latest deadline.
    </>
  )
}

const endSteps: Record<AskEnd['how'], string> = {
  released: 'Released early, before',
  killed: 'An operator killed the lease',
  broken: 'An operator broke the lease',
  expired: 'Lease expired',
  unseen: 'No longer held; how that ended was not seen',
}

function EndedStep({ end }: { end: AskEnd }) {
  const at = end.how === 'released' ? end.goneAt : end.how === 'expired' ? end.expiresAt : null
  return (
    <li className="done">
      <Icon name="check" />
      <span>{endSteps[end.how]}</span>
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
    case 'unread':
      return stage.hasFailed
        ? 'The lease could not be read again yet. Until it is, it may be free or held.'
        : 'The lease is being read.'
    case 'gone':
      return <>{who} no longer holds the lease, and may still act. How that ended is being read.</>
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
    case 'free':
      return (
        <>
          <Ended end={stage.end} who={who} /> The lease is free.
        </>
      )
    case 'broken':
      return (
        <>
          <WhoBroke lease={stage.lease} /> It cannot be acquired yet.
        </>
      )
    case 'taken':
      return <Ended end={stage.end} who={who} />
  }
}

function Ended({ end, who }: { end: AskEnd; who: ReactNode }) {
  switch (end.how) {
    case 'released':
      return (
        <>
          {who} no longer holds the lease: it was released early, which is what a resignation looks like.
          Leasehold cannot tell who released it.
        </>
      )
    case 'killed':
      return 'An operator killed the lease after the request.'
    case 'broken':
      return 'An operator broke the lease after the request.'
    case 'expired':
      return <>{who} did not renew the lease. Whether it read the request is unknown.</>
    case 'unseen':
      return <>{who} no longer holds the lease; how that ended was not seen.</>
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
