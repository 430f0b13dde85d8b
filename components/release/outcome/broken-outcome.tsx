'use client'

import { serverNow } from '../../../lib/client/call/call.ts'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import type { Lease } from '../../../lib/contract/leases/lease.ts'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { BarFill } from '../../leases/row/bar-fill.tsx'
import { Countdown } from '../../leases/row/time-left.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import type { BreakStage } from '../progress/break-stage.ts'
import type { OutcomeProps } from '../progress/headline.ts'
import type { Progress } from '../progress/progress.ts'
import { ReleaseSteps } from './release-steps.tsx'
import { ResultHead } from './result-head.tsx'

interface BrokenOutcomeProps extends OutcomeProps {
  progress: Progress & { of: 'broken' }
}

/** Broken: counts down to "safe at", and shows who acquires the lease then. */
export function BrokenOutcome({ release, headline, progress: { stage, safeAtMs } }: BrokenOutcomeProps) {
  const { planned, safeAt } = release
  const next = stage.at === 'taken' ? stage.lease : stage.at === 'free' ? stage.acquired : null
  const goesOn = stage.at === 'quarantined' || stage.at === 'verifying'
  return (
    <div data-state={stage.at === 'quarantined' ? 'quarantined' : undefined}>
      <ResultHead headline={headline} name={planned.name}>
        <BrokenLead stage={stage} release={release} />
      </ResultHead>
      {stage.at === 'quarantined' && <SafeIn release={release} safeAtMs={safeAtMs} />}
      <ReleaseSteps release={release}>
        <li className={goesOn ? 'cur' : 'done'}>
          <Icon name={goesOn ? 'verifying' : 'check'} />
          <span>Quarantined until the old holder’s time is over</span>
          <span className="mono small">{safeAt !== null && <Instant at={safeAt} digits={3} />}</span>
        </li>
        {next !== null ? (
          <li className="done">
            <Icon name="check" />
            <span>Acquired by the next holder</span>
            <span className="mono small">
              {next.writtenAt !== null && <Instant at={next.writtenAt} digits={3} />}
            </span>
          </li>
        ) : (
          <li className={stage.at === 'free' ? 'done' : 'todo'}>
            <Icon name={stage.at === 'free' ? 'check' : 'gone'} />
            <span>Free to acquire</span>
            <span />
          </li>
        )}
      </ReleaseSteps>
    </div>
  )
}

function BrokenLead({ stage, release }: { stage: BreakStage; release: Release }) {
  const { planned, safeAt } = release
  const old = <OwnerText owner={planned.owner} />
  switch (stage.at) {
    case 'quarantined':
      return safeAt === null ? null : (
        <>
          At{' '}
          <b>
            <Instant at={safeAt} zoned />
          </b>{' '}
          the old holder must have stopped, if it keeps to its deadline, and the lease becomes free. Until
          then it cannot be acquired.
        </>
      )
    case 'verifying':
      return 'The quarantine is over. A SERIAL read checks that the lease is free.'
    case 'free':
      return (
        <>
          {stage.acquired === null
            ? 'The quarantine is over. Cassandra confirmed that the lease is free: any program can acquire it.'
            : 'The next holder no longer holds the lease. It is free again.'}{' '}
          {old} <Stopped safeAt={safeAt} />
        </>
      )
    case 'taken':
      return (
        <>
          <Acquired lease={stage.lease} safeAt={safeAt} />
          {old} <Stopped safeAt={safeAt} />
        </>
      )
  }
}

/** Its deadline is a promise of the holder's program: the console cannot see whether it was kept. */
function Stopped({ safeAt }: { safeAt: string | null }) {
  return (
    <>
      must have stopped
      {safeAt !== null && (
        <>
          {' '}
          by <Instant at={safeAt} zoned />
        </>
      )}
      , if it keeps to its deadline.
    </>
  )
}

/** How soon after "safe at" it was acquired is said as long as the row was not written again since. */
function Acquired({ lease, safeAt }: { lease: Lease; safeAt: string | null }) {
  if (lease.writtenAt === null) return null
  const afterMs = safeAt === null ? null : Date.parse(lease.writtenAt) - Date.parse(safeAt)
  return (
    <>
      The next holder wrote its row at <Instant at={lease.writtenAt} digits={3} zoned />
      {afterMs !== null && afterMs >= 0 && afterMs < 60_000 && (
        <>, {afterMs < 1000 ? `${afterMs} ms` : durationText(afterMs)} after the quarantine ended</>
      )}
      .{' '}
    </>
  )
}

function SafeIn({ release, safeAtMs }: { release: Release; safeAtMs: number | null }) {
  if (safeAtMs === null) return <p className="big">–</p>
  const nowMs = pageNow()
  const endsAtMs = nowMs + safeAtMs - serverNow(nowMs)
  // Where two people were needed, the second one's word was the break.
  const brokenAtMs = Date.parse(release.approval?.at ?? release.requestedAt ?? release.now)
  return (
    <>
      <p className="big mt-2" role="timer">
        <Countdown key={safeAtMs} endsAtMs={endsAtMs} />
      </p>
      <span className="bar none safe-bar" data-live aria-hidden="true">
        <BarFill
          key={safeAtMs}
          endsAtMs={endsAtMs}
          ttlSeconds={Math.max(1, (safeAtMs - brokenAtMs) / 1000)}
        />
      </span>
    </>
  )
}
